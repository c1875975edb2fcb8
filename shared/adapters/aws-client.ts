import { SECOND } from "../domain/instant";

/**
 * How every client of AWS treats a call that hangs: one that is not connected within a second, or falls silent for
 * three, is given up and sent again, three times in all: some nine seconds, just within the shortest function's ten, so
 * that even a table that never answers is answered for by us. The SDK by itself waits for ever, and its
 * `requestTimeout` only warns.
 */
export const AWS_CLIENT = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: SECOND, socketTimeout: 3 * SECOND },
} as const;
