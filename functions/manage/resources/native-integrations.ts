import * as z from "zod";
import { ApiError } from "../../../shared/domain/errors";
import { toIso } from "../../../shared/domain/instant";
import {
  NATIVE_OUTCOMES,
  type NativeIntegration,
  tokenContext,
} from "../../../shared/domain/native/integration";
import { NATIVE_KINDS, type NativeKind } from "../../../shared/domain/native/kinds";
import { NATIVE_SOURCES } from "../../../shared/domain/native/sources";
import {
  createNativeIntegration,
  deleteNativeIntegration,
  listNativeIntegrations,
  updateNativeIntegration,
} from "../../../shared/storage/native/native-integrations";
import { type Call, type Route, reading, removing, writing } from "../route";
import { siteOf } from "./sites";

const path = "/api/manage/sites/{site_id}/native-integrations";

const STATES = ["needs_signing_secret", "waiting", "bad_signature", "connected"] as const;

const integrationView = z.object({
  id: z.string(),
  kind: z.enum(NATIVE_KINDS),
  event_type: z.string().describe("What its messages are recorded as."),
  url: z.url().describe("Where the service's webhook is pointed at. Secret."),
  signing_secret_set: z.boolean(),
  also_fire_to_ad_platforms: z.boolean(),
  count_first_invoices: z
    .boolean()
    .describe(
      "Stripe: also count first invoices of subscriptions, for those that are started outside of Checkout.",
    ),
  created: z.iso.datetime(),
  status: z.enum(STATES),
  last_received: z.iso.datetime().nullable(),
  last_outcome: z.enum(NATIVE_OUTCOMES).nullable(),
  last_reason: z.string().nullable(),
});

const signingSecret = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(200, "must have at most 200 characters")
  .describe("What the service signs with. Never answered.");

async function view(
  { secrets, origin }: Pick<Call, "secrets" | "origin">,
  integration: NativeIntegration,
): Promise<z.input<typeof integrationView>> {
  const { kind, lastReceived } = integration;
  const token = await secrets.open(integration.sealedToken, tokenContext(integration));
  return {
    id: integration.id,
    kind,
    event_type: NATIVE_SOURCES[kind].event.name,
    url: `${origin}/api/webhooks/${kind}/${token}`,
    signing_secret_set: integration.sealedSecret !== null,
    also_fire_to_ad_platforms: integration.forwardToAds,
    count_first_invoices: integration.countFirstInvoices,
    created: toIso(integration.created),
    status: stateOf(integration),
    last_received: lastReceived && toIso(lastReceived.at),
    last_outcome: lastReceived?.outcome ?? null,
    last_reason: lastReceived?.reason ?? null,
  };
}

function stateOf({ sealedSecret, lastReceived }: NativeIntegration): (typeof STATES)[number] {
  if (sealedSecret === null) return "needs_signing_secret";
  if (lastReceived === null) return "waiting";
  return lastReceived.outcome === "bad signature" ? "bad_signature" : "connected";
}

/** Stripe and Calendly (contract: "Events", native integrations). A site connects each once. */
export const nativeIntegrationRoutes: readonly Route[] = [
  reading({
    method: "GET",
    path,
    summary: "The site's native integrations, with what they received last",
    answer: z.object({ native_integrations: z.array(integrationView) }),
    async handle(call) {
      const site = await siteOf(call);
      const integrations = await listNativeIntegrations(call.config, site.id);
      return { native_integrations: await Promise.all(integrations.map((one) => view(call, one))) };
    },
  }),
  writing({
    method: "POST",
    path,
    summary: "Connect a service: make the URL for its webhook; the signing secret may follow",
    status: 201,
    body: z.strictObject({ kind: z.enum(NATIVE_KINDS), signing_secret: signingSecret.exactOptional() }),
    answer: integrationView,
    async handle(call) {
      const { config, secrets, clock, random, body } = call;
      const { workspace, id: site } = await siteOf(call);
      const { kind, signing_secret: secret } = body;
      const wanted = { workspace, site, kind, ...(secret ? { signingSecret: checked(kind, secret) } : {}) };
      const making = { now: clock(), random };
      return view(call, await createNativeIntegration({ ...config, secrets }, wanted, making));
    },
  }),
  writing({
    method: "PATCH",
    path: `${path}/{integration_id}`,
    summary: "Enter or replace the signing secret, or change what is counted and forwarded",
    body: z.strictObject({
      signing_secret: signingSecret.exactOptional(),
      also_fire_to_ad_platforms: z.boolean().exactOptional(),
      count_first_invoices: z.boolean().exactOptional(),
    }),
    answer: integrationView,
    async handle(call) {
      const { config, secrets, body } = call;
      const integration = await integrationOf(call);
      const { signing_secret: secret } = body;
      if (body.count_first_invoices !== undefined && integration.kind !== "stripe") {
        throw new ApiError("BAD_REQUEST", "count_first_invoices: only an integration with stripe has it.");
      }
      const change = {
        signingSecret: secret && checked(integration.kind, secret),
        forwardToAds: body.also_fire_to_ad_platforms,
        countFirstInvoices: body.count_first_invoices,
      };
      return view(call, await updateNativeIntegration({ ...config, secrets }, integration, change));
    },
  }),
  removing({
    method: "DELETE",
    path: `${path}/{integration_id}`,
    summary: "End an integration: its URL is dead at once",
    handle: async (call) => deleteNativeIntegration(call.config, await integrationOf(call)),
  }),
];

/** The integration of the path. Throws NOT_FOUND. */
async function integrationOf(call: Omit<Call, "body">): Promise<NativeIntegration> {
  const site = await siteOf(call);
  const integrations = await listNativeIntegrations(call.config, site.id);
  const found = integrations.find(({ id }) => id === call.params.integration_id);
  if (!found) throw new ApiError("NOT_FOUND");
  return found;
}

/** The secret, when it looks like one of the service: pasting another is the likeliest mistake. Throws BAD_REQUEST. */
function checked(kind: NativeKind, secret: string): string {
  const { shape, hint } = NATIVE_SOURCES[kind].signingSecret;
  if (!shape.test(secret)) throw new ApiError("BAD_REQUEST", `signing_secret: ${hint}.`);
  return secret;
}
