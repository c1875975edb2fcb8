import type { Site } from "../../domain/access/principal";
import type { Instant } from "../../domain/instant";
import type { Operation } from "../../domain/read-api/operation";
import type { Values } from "../../domain/read-api/parameters";
import type { Period } from "../../domain/read-api/period";
import type { DateRange } from "../../domain/read-api/range";

/** What is asked, before it is known whether the caller may ask it. */
export interface ReadQuestion<Own extends Values> {
  readonly siteId: number;
  readonly range: DateRange;
  readonly parameters: Own;
  /** When the request came in; the answer has to hold all that was recorded until then. */
  readonly now: Instant;
  /** Aborted when the answer is no longer wanted: it took too long, was found in the cache, or is refused. */
  readonly signal: AbortSignal;
}

/** The same once access is granted. `prepared` is what {@link ReadDefinition.prepare} began. */
export interface GrantedQuestion<Own extends Values, Prepared> extends ReadQuestion<Own> {
  readonly site: Site;
  readonly prepared: Promise<Prepared>;
}

/** How an operation is answered. */
export interface Answering<Body extends { period: Period }, Own extends Values, Prepared> {
  /** Begins reads beside the checks, to save a round trip. What comes of them is dropped when access is denied. */
  readonly prepare?: (question: ReadQuestion<Own>) => Promise<Prepared>;
  /** Answers, in 10 seconds at most; the factory adds the period. */
  readonly query: (question: GrantedQuestion<Own, Prepared>) => Promise<Omit<Body, "period">>;
}

/** What the factory needs to know of an operation, and how it is answered. */
export type ReadDefinition<Body extends { period: Period }, Own extends Values, Prepared> = Pick<
  Operation<Body, Own>,
  "name" | "response" | "parameters"
> &
  Answering<Body, Own, Prepared>;
