import * as z from "zod";
import type { Member, Workspace } from "../../shared/domain/access/member";
import { ApiError } from "../../shared/domain/errors";
import type { RandomBytes } from "../../shared/domain/ids";
import { type HttpRequest, type HttpResponse, json } from "../../shared/lambda/http";
import { readJson } from "../../shared/lambda/json-body";
import type { FacetBuild } from "../../shared/ports/analytics";
import type { Clock } from "../../shared/ports/clock";
import type { NativeSources } from "../../shared/ports/native-integrations";
import type { Queue } from "../../shared/ports/queue";
import type { ReceiptReader } from "../../shared/ports/receipts";
import type { SecretBox } from "../../shared/ports/secret-box";
import type { ConfigTable } from "../../shared/storage/access/config-table";
import type { FunnelTables } from "../../shared/storage/funnels/funnels";

/** Who is logged in, as of this request. */
export interface Actor {
  readonly member: Member;
  readonly workspace: Workspace;
}

/** What the resources work with. */
export interface Services {
  readonly config: ConfigTable;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly hashPassword: (password: string) => Promise<string>;
  readonly verifyPassword: (password: string, storedHash: string) => Promise<boolean>;
  readonly funnels: FunnelTables;
  /** Wakes who builds the cubes of facets that are new and deletes those of facets that are gone. */
  readonly backfills: Queue<FacetBuild>;
  readonly secrets: SecretBox;
  readonly receipts: ReceiptReader;
  readonly nativeSources: NativeSources;
}

/** One operation on a resource, called. */
export interface Call<Body = undefined> extends Services {
  readonly actor: Actor;
  /** Of the service as the caller knows it, e.g. `https://app.example`. */
  readonly origin: string;
  /** Of the path; shaped as their names promise (see `PARAMETERS`). */
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** One row of the route table. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With parameters in braces, e.g. `/api/manage/sites/{site_id}`. */
  readonly path: string;
  readonly summary: string;
  readonly ownersOnly: boolean;
  readonly body: z.ZodType | undefined;
  /** Absent where none are read. Those it does not name change nothing. */
  readonly query?: z.ZodObject | undefined;
  /** Absent for an answer without a body (204). */
  readonly answer: z.ZodType | undefined;
  readonly status: number;
  run(request: HttpRequest, call: Omit<Call, "body">): Promise<HttpResponse>;
}

type Described = Pick<Route, "method" | "path" | "summary"> & { readonly ownersOnly?: boolean };
type Handled<Body, Answer extends z.ZodType> = {
  readonly answer: Answer;
  readonly status?: number;
  handle(call: Call<Body>): Promise<z.input<Answer>>;
};

/** An operation that takes a JSON body. Its answer leaves through its schema, so nothing else leaks. */
export function writing<Body, Answer extends z.ZodType>(
  spec: Described & Handled<Body, Answer> & { readonly body: z.ZodType<Body> },
): Route {
  const { status = 200, ownersOnly = false, answer } = spec;
  return {
    ...{ ...spec, status, ownersOnly },
    run: async (request, call) =>
      respond(status, answer.parse(await spec.handle({ ...call, body: readJson(request, spec.body) }))),
  };
}

/** An operation that takes no body; parameters of the query where it names some. */
export function reading<
  Answer extends z.ZodType,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
>(
  spec: Described & {
    readonly answer: Answer;
    readonly status?: number;
    readonly query?: Query;
    handle(call: Call & { readonly query: z.output<Query> }): Promise<z.input<Answer>>;
  },
): Route {
  const { status = 200, ownersOnly = false, answer } = spec;
  return {
    ...{ ...spec, status, ownersOnly, body: undefined },
    run: async (request, call) => {
      const query = readQuery(request.query, (spec.query ?? z.object({})) as Query);
      return respond(status, answer.parse(await spec.handle({ ...call, body: undefined, query })));
    },
  };
}

/** Throws BAD_REQUEST naming the parameter. Of one sent twice the last counts. */
function readQuery<Query extends z.ZodObject>(query: URLSearchParams, schema: Query): z.output<Query> {
  const parsed = schema.safeParse(Object.fromEntries(query));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ApiError("BAD_REQUEST", `${issue?.path.join(".")}: ${issue?.message}.`);
}

/** An operation that ends something and answers 204. */
export function removing(spec: Described & { handle(call: Call): Promise<void> }): Route {
  return {
    ...{ ...spec, status: 204, ownersOnly: spec.ownersOnly ?? false, body: undefined, answer: undefined },
    async run(_, call) {
      await spec.handle({ ...call, body: undefined });
      return { status: 204, headers: NO_STORE };
    },
  };
}

const NO_STORE = { "cache-control": "no-store" };
const respond = (status: number, body: unknown): HttpResponse => json(status, body, NO_STORE);

/** What a path parameter may look like; any other value names nothing. */
export const PARAMETERS: Readonly<Record<string, RegExp>> = {
  site_id: /^[1-9][0-9]{0,9}$/,
  member_id: /^[1-9][0-9]{0,9}$/,
  key_id: /^key_[0-9a-z]{26}$/,
  funnel_id: /^[1-9][0-9]{0,9}$/,
  integration_id: /^nint_[0-9a-z]{26}$/,
  webhook_id: /^whin_[0-9a-z]{26}$/,
  custom_event_id: /^cev_[0-9a-f]{32}$/,
};

/** The row for a request, with its path parameters. Throws NOT_FOUND, or METHOD_NOT_ALLOWED with `Allow`. */
export function findRoute(
  routes: readonly Route[],
  { method, path }: Pick<HttpRequest, "method" | "path">,
): { readonly route: Route; readonly params: Record<string, string> } {
  const here = routes.flatMap((route) => {
    const params = matchPath(route.path, path);
    return params ? [{ route, params }] : [];
  });
  const match = here.find(({ route }) => route.method === method);
  if (match) return match;
  if (here.length === 0) throw new ApiError("NOT_FOUND");
  const allow = here.map(({ route }) => route.method).join(", ");
  throw new ApiError("METHOD_NOT_ALLOWED", undefined, { allow });
}

function matchPath(pattern: string, path: string): Record<string, string> | null {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [i, segment] of wanted.entries()) {
    const value = given[i] ?? "";
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined ? segment !== value : !PARAMETERS[name]?.test(value)) return null;
    if (name !== undefined) params[name] = value;
  }
  return params;
}
