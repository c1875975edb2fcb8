import * as z from "zod";
import type { Verdict } from "./principal";

/** {@link Verdict} as it travels in the authorizer's context. */
const verdictSchema: z.ZodType<Verdict> = z.union([
  z.strictObject({
    principal: z.strictObject({
      keyId: z.string().min(1),
      workspace: z.int().positive(),
      sites: z.union([z.literal("all"), z.array(z.int().positive())]),
    }),
  }),
  z.strictObject({ refusal: z.enum(["AUTH_REQUIRED", "INVALID_API_KEY", "TIER_NO_API_ACCESS"]) }),
]);

/** The authorizer's context for `verdict`. The gateway carries only flat values, hence the JSON. */
export const toAuthorizerContext = (verdict: Verdict): { verdict: string } => ({
  verdict: JSON.stringify(verdict),
});

/**
 * The verdict in an authorizer's context, or null when there is none to trust (the authorizer failed, or did not run):
 * to be answered as INTERNAL, never as a guest.
 */
export function parseVerdict(authorizerContext: Readonly<Record<string, unknown>>): Verdict | null {
  const { verdict } = authorizerContext;
  if (typeof verdict !== "string") return null;
  try {
    return verdictSchema.safeParse(JSON.parse(verdict)).data ?? null;
  } catch {
    return null;
  }
}
