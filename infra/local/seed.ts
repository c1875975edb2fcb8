import { randomBytes } from "node:crypto";
import type { Member } from "../../shared/domain/access/member";
import { hashPassword } from "../../shared/domain/access/password";
import { receivingPath } from "../../shared/domain/conversion/receiving-webhook";
import { type FunnelDraft, withFunnel } from "../../shared/domain/funnels/saved-funnels";
import type { Instant } from "../../shared/domain/instant";
import type { SecretBox } from "../../shared/ports/secret-box";
import { createApiKey } from "../../shared/storage/access/api-keys";
import type { ConfigTable } from "../../shared/storage/access/config-table";
import { createMember, findMemberByEmail, updateMember } from "../../shared/storage/access/members";
import { createSite, listSites } from "../../shared/storage/access/sites";
import { createWorkspace, listWorkspaces } from "../../shared/storage/access/workspaces";
import { createReceivingWebhook } from "../../shared/storage/conversion/manage-receiving-webhooks";
import type { Dynamo } from "../../shared/storage/dynamo";
import { changeFunnels, type FunnelTables } from "../../shared/storage/funnels/funnels";
import type { TableId } from "../../shared/storage/tables";

/** What a person needs to try the service; written to `<LOCAL_DATA_DIR>/demo.json` and printed. */
export interface Demo {
  readonly base_url: string;
  readonly receive_url: string;
  readonly dashboard: { readonly email: string; readonly password: string };
  readonly workspace_id: number;
  readonly sites: readonly DemoSite[];
  readonly api_key?: string;
  readonly receiving_webhooks: readonly DemoWebhook[];
  readonly funnels: readonly DemoFunnel[];
  readonly form_integration?: { readonly url: string; readonly secret: string };
}

interface DemoSite {
  readonly site_id: number;
  readonly domain: string;
  readonly snippet: string;
}

export interface DemoWebhook {
  readonly id: string;
  readonly name: string;
  readonly event_type: string;
  readonly url: string;
}

interface DemoFunnel {
  readonly id: number;
  readonly name: string;
}

export interface SeedContext {
  readonly baseUrl: string;
  /** A client of the run's own DynamoDB; it may do everything. */
  readonly dynamo: Dynamo;
  readonly tables: Readonly<Record<TableId, string>>;
  readonly secrets: SecretBox;
  /** Whether the demo is wanted; without it one workspace with its owner is all there is. */
  readonly demo: boolean;
}

const OWNER = "owner@example.com";
const WEBHOOKS = [
  { name: "Shop checkout", eventType: "Purchase" },
  { name: "Newsletter form", eventType: "Lead" },
  { name: "Showroom calendar", eventType: "Schedule" },
] as const;

/** The ways through the shop that its story takes. */
const FUNNELS: readonly FunnelDraft[] = [
  {
    name: "Looking around to purchase",
    steps: [
      { name: "Any page", matches: { page: "/shop*" } },
      { name: "Another page", matches: { page: "/shop*" } },
      { name: "Purchase", matches: { event: "Purchase" } },
    ],
  },
  {
    name: "Newsletter to purchase",
    steps: [
      { name: "Newsletter form", matches: { event: "Lead" } },
      { name: "Back in the shop", matches: { page: "/shop*" } },
      { name: "Purchase", matches: { event: "Purchase" } },
    ],
  },
  {
    name: "Lookbook to mug to purchase",
    steps: [
      { name: "Lookbook", matches: { page: "/shop/lookbook*" } },
      { name: "Stone mug", matches: { page: "/shop/mug" } },
      { name: "Purchase", matches: { event: "Purchase" } },
    ],
  },
];

/**
 * Makes a workspace on the Unlimited plan with its owner and, for the demo, the shop's site, an API key, receiving
 * webhooks and funnels, all through the product's own storage. Secrets are told this once. Where an earlier seeding was cut short,
 * what it made is taken on and gets new secrets, for nobody was told its own.
 */
export async function seed(context: SeedContext): Promise<Demo> {
  const { baseUrl, dynamo, tables, demo } = context;
  const now = Date.now();
  const config = { dynamo, table: tables.Config };
  const [existing] = await listWorkspaces(config);
  const { workspace } = existing ?? (await createWorkspace(config, { name: "Demo", plan: "unlimited" }, now));
  const password = randomBytes(9).toString("base64url");
  const { member } = await owner(config, workspace, await hashPassword(password, randomBytes), now);
  return {
    base_url: baseUrl,
    receive_url: baseUrl,
    dashboard: { email: OWNER, password },
    workspace_id: workspace,
    sites: [],
    receiving_webhooks: [],
    funnels: [],
    ...(demo ? await seedShop(context, workspace, member, now) : {}),
  };
}

async function owner(
  config: ConfigTable,
  workspace: number,
  passwordHash: string,
  now: Instant,
): Promise<Member> {
  const existing = await findMemberByEmail(config, OWNER);
  if (existing) return updateMember(config, existing, { passwordHash });
  const fields = { email: OWNER, name: "Demo owner", role: "owner", sites: "all" } as const;
  return createMember(config, { workspace, ...fields, passwordHash }, now);
}

async function seedShop(
  { baseUrl, dynamo, tables, secrets }: SeedContext,
  workspace: number,
  member: number,
  now: Instant,
): Promise<Pick<Demo, "sites" | "api_key" | "receiving_webhooks" | "funnels">> {
  const config = { dynamo, table: tables.Config };
  const [existing] = await listSites(config, workspace);
  const site =
    existing ?? (await createSite(config, { workspace, domain: "localhost", name: "Demo shop" }, now));
  const { value } = await createApiKey(
    config,
    { workspace, site: site.id, member, name: "Demo" },
    { now, random: randomBytes },
  );
  const hooks = WEBHOOKS.map(async ({ name, eventType }) => {
    const { webhook, token } = await createReceivingWebhook(
      { ...config, secrets, clock: Date.now, random: randomBytes },
      { workspace, site: site.id, name, eventType },
    );
    return { id: webhook.id, name, event_type: eventType, url: baseUrl + receivingPath(token) };
  });
  return {
    sites: [{ site_id: site.id, domain: site.domain, snippet: snippetOf(baseUrl, site.id) }],
    api_key: value,
    receiving_webhooks: await Promise.all(hooks),
    funnels: await seedFunnels(
      { dynamo, tables: { config: tables.Config, facts: tables.Facts } },
      site.id,
      now,
    ),
  };
}

/** Those that an earlier seeding, cut short, has not saved yet. */
async function seedFunnels(tables: FunnelTables, site: number, now: Instant): Promise<DemoFunnel[]> {
  const { after } = await changeFunnels(
    tables,
    site,
    (saved) =>
      FUNNELS.filter(({ name }) => saved.funnels.every((funnel) => funnel.name !== name)).reduce(
        (all, draft) => withFunnel(all, draft, now),
        saved,
      ),
    now,
  );
  return after.funnels.map(({ id, name }) => ({ id, name }));
}

const snippetOf = (baseUrl: string, site: number): string =>
  `<script async src="${baseUrl}/t.js" data-site="${site}"></script>`;

/** The demo of an earlier run, its addresses moved to where the service is now. */
export function moved(demo: Demo, baseUrl: string): Demo {
  const move = (text: string): string => text.replaceAll(demo.base_url, baseUrl);
  return {
    ...demo,
    base_url: baseUrl,
    receive_url: baseUrl,
    sites: demo.sites.map((site) => ({ ...site, snippet: move(site.snippet) })),
    receiving_webhooks: demo.receiving_webhooks.map((hook) => ({ ...hook, url: move(hook.url) })),
  };
}
