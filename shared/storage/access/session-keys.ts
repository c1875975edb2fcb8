import type { ItemKey } from "./config-keys";

/** A login session in the Ephemeral table, by the SHA-256 of its token. */
export const sessionKey = (tokenHash: string): ItemKey => ({ pk: `session#${tokenHash}`, sk: "session" });
