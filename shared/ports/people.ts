import type { KnownEmail } from "../domain/identity/known-email";

/** Where is read who an e-mail leads to. */
export interface PeopleReader {
  /** All that is known of an e-mail of a site, read consistently, in one round trip. Any string is a safe argument. */
  known(site: number, email: string): Promise<KnownEmail>;
}
