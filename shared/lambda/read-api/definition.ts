import type * as z from "zod";
import type { Site } from "../../domain/access/principal";
import type { Instant } from "../../domain/instant";
import type { ParameterReader } from "../../domain/read-api/parameters";
import type { Period } from "../../domain/read-api/period";
import type { DateRange } from "../../domain/read-api/range";

/** Values of an endpoint's own parameters, by name. */
export type Values = Readonly<Record<string, string | number>>;

/** What is asked, before it is known whether the caller may ask it. */
export interface ReadQuestion<Parameters extends Values> {
  readonly siteId: number;
  readonly range: DateRange;
  readonly parameters: Parameters;
  /** When the request came in; the answer has to hold all that was recorded until then. */
  readonly now: Instant;
  /** Aborted when the answer is no longer wanted: it took too long, was found in the cache, or is refused. */
  readonly signal: AbortSignal;
}

/** The same once access is granted. `prepared` is what {@link ReadDefinition.prepare} began. */
export interface GrantedQuestion<Parameters extends Values, Prepared> extends ReadQuestion<Parameters> {
  readonly site: Site;
  readonly prepared: Promise<Prepared>;
}

/** All there is to say about one endpoint. */
export interface ReadDefinition<Body extends { period: Period }, Parameters extends Values, Prepared> {
  /** Names the endpoint in the cache; no two may share a name. */
  readonly name: string;
  /** The whole body. Every answer is parsed by it on the way out, so that nothing else can leave. */
  readonly response: z.ZodType<Body>;
  /** Parameters besides those that all endpoints have. */
  readonly parameters?: { readonly [Name in keyof Parameters]: ParameterReader<Parameters[Name]> };
  /** Begins reads beside the checks, to save a round trip. What comes of them is dropped when access is denied. */
  readonly prepare?: (question: ReadQuestion<Parameters>) => Promise<Prepared>;
  /** Answers, in 10 seconds at most; the factory adds the period. */
  readonly query: (question: GrantedQuestion<Parameters, Prepared>) => Promise<Omit<Body, "period">>;
}
