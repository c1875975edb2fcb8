import type { KnownEmail } from "../domain/identity/known-email";
import type { Told } from "../domain/identity/person";

/** Where is read who an e-mail leads to. */
export interface PeopleReader {
  /** All that is known of an e-mail of a site, read consistently, in one round trip. Any string is a safe argument. */
  known(site: number, email: string): Promise<KnownEmail>;
}

/** Somebody on a page said who they are. */
export interface Introduction extends Omit<Told, "newId"> {
  readonly site: number;
  readonly email: string;
}

/** Where people become known by what they say of themselves. */
export interface PeopleRegistry {
  /**
   * Makes these people known (one for each e-mail), or adds to what is known of them. Their visits must have been written before:
   * whoever finds somebody known also finds their journey. Settled one by one; answers for each the events that wait for
   * them. Done again, it changes nothing.
   */
  tell(introductions: readonly Introduction[]): Promise<PromiseSettledResult<readonly string[]>[]>;
}
