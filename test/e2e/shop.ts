import { randomBytes } from "node:crypto";
import { shopPages } from "../../infra/local/shop/shop";
import { hashPassword } from "../../shared/domain/access/password";
import { createMember } from "../../shared/storage/access/members";
import { createWorkspace } from "../../shared/storage/access/workspaces";
import { logIn } from "./people";
import type { Running } from "./service";

interface Login {
  readonly email: string;
  readonly password: string;
}

/** A shop of a test's own, at a host of its own. */
export interface Shop {
  readonly site: number;
  readonly key: string;
  /** Its home page; other pages lie below. */
  readonly url: string;
  /** The secret URL for its purchases. */
  readonly purchases: string;
  /** Who may manage it. */
  readonly member: Login;
}

let opened = 0;

/** Adds a site and a key at the dashboard, and serves the demo shop's pages for it; an earlier shop has none any more. */
export async function openShop(service: Running, member: Login = service.demo.dashboard): Promise<Shop> {
  const manage = await logIn(service, member);
  const domain = `shop-${++opened}.localhost`;
  const created = await manage("POST", "/sites", { domain, name: `Shop ${opened}` });
  const site: number = created.body.id;
  const key = await manage("POST", `/sites/${site}/api-keys`, { name: "Test" });
  const webhook = { name: "Checkout", event_type: "Purchase" };
  const { body } = await manage("POST", `/sites/${site}/receiving-webhooks`, webhook);
  const purchases: string = body.url;
  Object.assign(service.pages, shopPages({ siteId: site, purchaseUrl: purchases }));
  const url = `${service.baseUrl.replace("localhost", domain)}/shop`;
  return { site, key: key.body.value, url, purchases, member };
}

/** A workspace on the Unlimited plan that has nothing to do with the demo's, by its owner. */
export async function openWorkspace({ dynamo, tables }: Running): Promise<Login> {
  const config = { dynamo, table: tables.Config };
  const { workspace } = await createWorkspace(config, { name: "Other", plan: "unlimited" }, Date.now());
  const login = { email: `owner-${workspace}@other.example`, password: "a password of some length" };
  const passwordHash = await hashPassword(login.password, randomBytes);
  const fields = { email: login.email, name: "Owner", role: "owner", sites: "all" } as const;
  await createMember(config, { workspace, ...fields, passwordHash }, Date.now());
  return login;
}
