import type * as z from "zod";
import type { OwnParameter, Values } from "./parameters";
import type { Period } from "./period";

/** All there is to say of an operation of the read API to those who call it: what validates also documents. */
export interface Operation<Body extends { period: Period }, Own extends Values = Values> {
  /** The path is `/v1/<name>`. No two share a name. */
  readonly name: string;
  /** What it answers, in a few words. */
  readonly summary: string;
  /** What one has to know to read the answer right, and what else can be computed from it. */
  readonly description: string;
  /** The whole body. Every answer is parsed by it on the way out, so that nothing else can leave. */
  readonly response: z.ZodType<Body>;
  readonly example: Body;
  /** Parameters besides those that all operations have. */
  readonly parameters?: { readonly [Name in keyof Own]: OwnParameter<Own[Name]> };
}
