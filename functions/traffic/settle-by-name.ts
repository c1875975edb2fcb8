import { log } from "../../shared/lambda/log";

/** Works on named things at once; answers the results of those that went well, by name. The others are logged. */
export async function settleByName<Name, Thing, Result>(
  what: string,
  things: ReadonlyMap<Name, Thing>,
  work: (things: readonly Thing[]) => Promise<readonly PromiseSettledResult<Result>[]>,
): Promise<Map<Name, Result>> {
  const done = new Map<Name, Result>();
  if (things.size === 0) return done;
  const results = await work([...things.values()]);
  const failures: unknown[] = [];
  for (const [i, name] of [...things.keys()].entries()) {
    const result = results[i];
    if (result?.status === "fulfilled") done.set(name, result.value);
    else failures.push(result?.reason);
  }
  if (failures.length > 0) {
    log.error(`${what} not written`, { failures: failures.length, error: failures[0] as Error });
  }
  return done;
}
