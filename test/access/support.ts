import { authHandler } from "../../functions/auth/handler";
import { ATTEMPTS } from "../../functions/auth/login";
import { manageHandler } from "../../functions/manage/handler";
import {
  decoyHash,
  hashPassword,
  type PasswordCost,
  verifyPassword,
} from "../../shared/domain/access/password";
import type { RandomBytes } from "../../shared/domain/ids";
import type { NativeSource } from "../../shared/ports/native-integrations";
import { replaceAiAccess } from "../../shared/storage/access/ai-access";
import { createApiKey } from "../../shared/storage/access/api-keys";
import type { ConfigTable } from "../../shared/storage/access/config-table";
import { createMember, findMemberByEmail } from "../../shared/storage/access/members";
import { createSessions } from "../../shared/storage/access/sessions";
import { createSite } from "../../shared/storage/access/sites";
import { createWorkspace, findWorkspace } from "../../shared/storage/access/workspaces";
import { createReceiptLog } from "../../shared/storage/conversion/receipts";
import { createRollingWindow } from "../../shared/storage/read-api/rolling-window";
import type { Engine } from "../support/engine";
import { memorySecretBox } from "../support/secret-box";
import { Browser } from "./browser";

export const NOW = Date.UTC(2026, 10, 21, 10, 0);
export const CHEAP: PasswordCost = { log2N: 4, r: 8, p: 1 };
export const PASSWORD = "correct horse battery";

let seed = 1;
/** Bytes that repeat from run to run and never within one. */
export const random: RandomBytes = (length) => {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[i] = seed >>> 24;
  }
  return bytes;
};

let people = 0;
export const nextEmail = () => `person${++people}@shop.example`;

/** A workspace on the Unlimited plan with an owner, two sites, and a member who sees only the second. */
export async function someWorkspace(config: ConfigTable) {
  const passwordHash = await hashPassword(PASSWORD, random, CHEAP);
  const { workspace } = await createWorkspace(config, { name: "Shop", plan: "unlimited" }, NOW);
  const [one, two] = [
    await createSite(config, { workspace, domain: "one.example", name: "One" }, NOW),
    await createSite(config, { workspace, domain: "two.example", name: "Two" }, NOW),
  ];
  const person = { workspace, passwordHash };
  const owner = await createMember(
    config,
    { ...person, email: nextEmail(), name: "Olga", role: "owner", sites: "all" },
    NOW,
  );
  const member = await createMember(
    config,
    { ...person, email: nextEmail(), name: "Max", role: "member", sites: [two.id] },
    NOW,
  );
  return { workspace, one, two, owner, member };
}

export type SomeWorkspace = Awaited<ReturnType<typeof someWorkspace>>;

export function someKey(
  config: ConfigTable,
  { workspace, one, owner }: SomeWorkspace,
  input: Partial<Parameters<typeof createApiKey>[1]> = {},
) {
  const defaults = { workspace, site: one.id, member: owner.member, name: "Sheet" };
  return createApiKey(config, { ...defaults, ...input }, { now: NOW, random });
}

/** The AI-access key of the first site, in place of `old`. */
export const someAiAccess = (
  config: ConfigTable,
  { workspace, one, owner }: SomeWorkspace,
  old: Parameters<typeof replaceAiAccess>[2] = null,
) => replaceAiAccess(config, { workspace, site: one.id, member: owner.member }, old, { now: NOW, random });

let services = 0;
/** The auth and manage functions over one engine, with a clock the test moves and passwords that cost little; called from an address of its own. */
export function startService(engine: Engine) {
  const config = { dynamo: engine.dynamo, table: engine.tables.Config };
  const time = { now: NOW };
  const clock = () => time.now;
  const sessions = createSessions(engine.dynamo, engine.tables.Ephemeral, random);
  const attempts = (capacity: number) =>
    createRollingWindow(
      engine.dynamo,
      engine.tables.Ephemeral,
      { capacity, windowMs: ATTEMPTS.windowMs },
      random,
    );
  const verified: string[] = [];
  const built: unknown[] = [];
  const native = new Map<number, readonly NativeSource[]>();
  const receipts = createReceiptLog(engine.dynamo, engine.tables.Deliveries);
  const auth = authHandler({
    sessions,
    clock,
    findMemberByEmail: (email) => findMemberByEmail(config, email),
    findWorkspace: (workspace) => findWorkspace(config, workspace),
    verifyPassword: (password, hash) => {
      verified.push(hash);
      return verifyPassword(password, hash);
    },
    decoyHash: decoyHash(CHEAP),
    attemptsByEmail: attempts(ATTEMPTS.byEmail),
    attemptsByAddress: attempts(ATTEMPTS.byAddress),
  });
  const manage = manageHandler({
    config,
    sessions,
    clock,
    random,
    verifyPassword,
    hashPassword: (password) => hashPassword(password, random, CHEAP),
    funnels: { dynamo: engine.dynamo, tables: { config: engine.tables.Config, facts: engine.tables.Facts } },
    backfills: { send: async (message) => void built.push(message) },
    secrets: memorySecretBox(),
    receipts,
    nativeSources: { reporting: async (site) => native.get(site) ?? [] },
  });
  const address = `198.51.100.${++services}`;
  const browser = () => new Browser({ auth, manage }, address);
  return {
    config,
    time,
    verified,
    /** Messages to who builds cubes. */
    built,
    /** What native integrations report, by site. */
    native,
    receipts,
    browser,
    async loggedIn({ email }: { readonly email: string }): Promise<Browser> {
      const one = browser();
      const { status } = await one.send("POST", "/api/auth/login", { body: { email, password: PASSWORD } });
      if (status !== 200) throw new Error(`login answered ${status}`);
      return one;
    },
  };
}

export type Service = ReturnType<typeof startService>;
