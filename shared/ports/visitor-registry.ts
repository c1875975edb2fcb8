import type { VisitKey, Visitor, VisitRecord } from "./visitors";

/** A browser that was seen, and the visit it was seen in. */
export interface Sighting {
  readonly site: number;
  readonly evid: string;
  /** Becomes the visitor's first visit when the visitor is new. */
  readonly visit: VisitKey;
}

/** Gives every visitor its number. */
export interface VisitorRegistry {
  /**
   * The visitors of these sightings (one for each visitor), in their order; unknown ones are created. Under any
   * concurrency a visitor has one number. Settled one by one: a failure is of that visitor alone.
   */
  resolve(sightings: readonly Sighting[]): Promise<PromiseSettledResult<Visitor>[]>;
}

/** Something to keep about a visit. Writing one again changes nothing. */
export type JournalEntry = { readonly site: number; readonly evid: string } & (
  | { readonly kind: "visit"; readonly record: VisitRecord }
  | { readonly kind: "click"; readonly clickId: string; readonly visit: VisitKey }
  | { readonly kind: "email"; readonly email: string; readonly visit: VisitKey }
);

/** Keeps visits, and what leads to them. */
export interface VisitJournal {
  /** Writes the entries, no two for the same thing, in any order. Settled one by one. */
  write(entries: readonly JournalEntry[]): Promise<PromiseSettledResult<void>[]>;
}
