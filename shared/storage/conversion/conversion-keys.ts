import { createHash } from "node:crypto";
import type { Claim } from "../../domain/conversion/claim";

/**
 * Keys of conversions in the Identity table.
 *
 * | pk               | sk    | item                                                                       |
 * |------------------|-------|----------------------------------------------------------------------------|
 * | event#site#evt_  | event | a recorded conversion with its contact and properties                      |
 * | claim#site#hash  | claim | the event that holds a duplicate claim; `ttl` where the claim is of a day  |
 *
 * A claim's key is a hash, so that no e-mail stands in a key.
 */
export const eventKey = (site: number, event: string) => ({ pk: `event#${site}#${event}`, sk: "event" });

export const claimKey = ({ site, of }: Claim) => ({
  pk: `claim#${site}#${createHash("sha256").update(JSON.stringify(of)).digest("base64url")}`,
  sk: "claim",
});
