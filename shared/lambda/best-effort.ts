import { log } from "./log";

/** Does `work`, and where it fails only logs what was lost: for what something else makes good. */
export async function bestEffort(lost: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.warn(lost, { error: error as Error });
  }
}
