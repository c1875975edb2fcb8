import type { Instant } from "../instant";

/** Keys made in the dashboard, by the content-management plugin, and for AI access; lists show the first only. */
export const API_KEY_KINDS = ["api", "plugin", "mcp"] as const;
export type ApiKeyKind = (typeof API_KEY_KINDS)[number];

/** The one route an AI-access key opens, as the gateway writes it. */
export const AI_ACCESS_ROUTE = "POST /mcp";

/** Whether a key of `kind` is for `route`: API keys and the AI-access key are separate (contract: "What the service does"). */
export const opens = (kind: ApiKeyKind, route: string): boolean =>
  (kind === "mcp") === (route === AI_ACCESS_ROUTE);

/** What is kept of an API key beside the hash it is found by (contract: "API key"). */
export interface ApiKeyRecord {
  /** `key_...`. */
  readonly id: string;
  readonly workspace: number;
  /** The site it was created on; it reads every site its creator can. */
  readonly site: number;
  /** Its creator, whose access it has. */
  readonly member: number;
  readonly kind: ApiKeyKind;
  readonly name: string;
  readonly preview: string;
  readonly hash: string;
  readonly created: Instant;
  /** The first instant it is no longer good at, or null for never. */
  readonly expires: Instant | null;
}
