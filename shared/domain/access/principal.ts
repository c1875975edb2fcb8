/** Workspace plans, lowest first. API access needs `unlimited` (contract: "Authentication", rule 6). */
export const PLANS = ["starter", "growth", "unlimited"] as const;
export type Plan = (typeof PLANS)[number];

/** The one plan with API access; read by the authorizer and checked when a key is created. */
export const API_PLAN: Plan = "unlimited";

/** Who a request comes from, once its API key was found good. */
export interface Principal {
  readonly keyId: string;
  readonly workspace: number;
  /** Sites the key's creator can read: all of the workspace, or those listed. */
  readonly sites: "all" | readonly number[];
}

/** Why a request is refused before it reaches an endpoint. */
export type Refusal = "AUTH_REQUIRED" | "INVALID_API_KEY" | "TIER_NO_API_ACCESS";

/** What the authorizer hands the endpoint: it never refuses itself, because the gateway's refusals cannot carry our body. */
export type Verdict = { readonly principal: Principal } | { readonly refusal: Refusal };

/** A site as the product reads it on its way to anything else. */
export interface Site {
  readonly id: number;
  readonly workspace: number;
  /** Host without scheme, port or `www.`, lower case. */
  readonly domain: string;
  readonly name: string;
}

/** Whether `principal` may read `site`; a site that does not exist is denied alike. */
export function mayRead(principal: Principal, site: Site | null): site is Site {
  return (
    site !== null &&
    site.workspace === principal.workspace &&
    (principal.sites === "all" || principal.sites.includes(site.id))
  );
}
