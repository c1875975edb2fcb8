/** Something the person at the terminal can put right. Its message is one clear line; no stack is shown. */
export class LocalFailure extends Error {
  override readonly name = "LocalFailure";
}

/** The message of anything thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
