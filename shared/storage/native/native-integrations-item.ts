import * as z from "zod";
import { NATIVE_OUTCOMES, type NativeIntegration } from "../../domain/native/integration";
import { NATIVE_KINDS } from "../../domain/native/kinds";

/** A native integration as an item of the Config table. */
export const itemSchema = z.object({
  id: z.string(),
  workspace: z.number(),
  site: z.number(),
  kind: z.enum(NATIVE_KINDS),
  /** Of the token's secret. */
  secret_hash: z.string(),
  sealed_token: z.string(),
  signing_secret: z.string().optional(),
  forward_to_ads: z.boolean(),
  count_first_invoices: z.boolean(),
  created: z.number(),
  last_received: z
    .object({ at: z.number(), outcome: z.enum(NATIVE_OUTCOMES), reason: z.string().nullable() })
    .optional(),
});

export function fromItem(stored: unknown): NativeIntegration {
  const item = itemSchema.parse(stored);
  return {
    id: item.id,
    workspace: item.workspace,
    site: item.site,
    kind: item.kind,
    sealedToken: item.sealed_token,
    sealedSecret: item.signing_secret ?? null,
    forwardToAds: item.forward_to_ads,
    countFirstInvoices: item.count_first_invoices,
    created: item.created,
    lastReceived: item.last_received ?? null,
  };
}
