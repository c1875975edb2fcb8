import { parseApiKey } from "../../shared/domain/access/api-key";
import { toIso } from "../../shared/domain/instant";
import { findAiAccess, replaceAiAccess, revokeAiAccess } from "../../shared/storage/access/ai-access";
import { findStanding } from "../../shared/storage/access/credentials";
import { setPlan } from "../../shared/storage/access/workspaces";
import { type Engine, startEngine } from "../support/engine";
import type { Browser, Received } from "./browser";
import {
  NOW,
  random,
  type Service,
  type SomeWorkspace,
  someAiAccess,
  someKey,
  someWorkspace,
  startService,
} from "./support";

let engine: Engine;
let service: Service;
let shop: SomeWorkspace;
let owner: Browser;
let member: Browser;

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());
beforeEach(async () => {
  service = startService(engine);
  shop = await someWorkspace(service.config);
  [owner, member] = [await service.loggedIn(shop.owner), await service.loggedIn(shop.member)];
});

const at = (site: { id: number }) => `/api/manage/sites/${site.id}/ai-access`;
const shown = ({ body: { value: _, ...rest } }: Received) => rest;

async function works(key: string): Promise<boolean> {
  const claims = parseApiKey(key);
  return claims !== null && (await findStanding(service.config, key, claims))?.kind === "mcp";
}

const forbidden = { status: 403, body: { code: "FORBIDDEN" } };
const notFound = { status: 404, body: { code: "NOT_FOUND" } };

describe("the AI-access key of a site", () => {
  test("is shown whole once, and by its preview and the address it opens from then on", async () => {
    await expect(owner.send("GET", at(shop.one))).resolves.toMatchObject({
      status: 200,
      body: { mcp_url: "https://app.example/mcp", key: null },
    });
    const made = await owner.send("POST", at(shop.one));
    const { value } = made.body;
    expect(made).toMatchObject({ status: 201, headers: { "cache-control": "no-store" } });
    expect(made.body).toEqual({
      mcp_url: "https://app.example/mcp",
      key: {
        id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
        preview: `${value.slice(0, 8)}…${value.slice(-4)}`,
        created: toIso(NOW),
        created_by: shop.owner.member,
      },
      value: expect.stringMatching(/^aas_/),
    });
    await expect(works(value)).resolves.toBe(true);
    const seen = await owner.send("GET", at(shop.one));
    expect(seen.body).toEqual(shown(made));
    expect(JSON.stringify(seen.body)).not.toContain(value);
  });

  test("is in no list of API keys and cannot be changed through it", async () => {
    const { body } = await owner.send("POST", at(shop.one));
    const keys = `/api/manage/sites/${shop.one.id}/api-keys`;
    await expect(owner.send("GET", keys)).resolves.toMatchObject({ body: { api_keys: [] } });
    await expect(owner.send("DELETE", `${keys}/${body.key.id}`)).resolves.toMatchObject(notFound);
    await expect(works(body.value)).resolves.toBe(true);
  });

  test("is ended by the one that replaces it, and leaves API keys and other sites' alone", async () => {
    const [first, elsewhere] = [
      await owner.send("POST", at(shop.one)),
      await member.send("POST", at(shop.two)),
    ];
    const program = await someKey(service.config, shop);
    const second = await owner.send("POST", at(shop.one));
    expect(second.body.key.id).not.toBe(first.body.key.id);
    await expect(works(first.body.value)).resolves.toBe(false);
    await expect(works(second.body.value)).resolves.toBe(true);
    await expect(works(elsewhere.body.value)).resolves.toBe(true);
    const claims = parseApiKey(program.value);
    await expect(claims && findStanding(service.config, program.value, claims)).resolves.not.toBeNull();
  });

  test("is gone at once when deleted, and stays gone", async () => {
    const { body } = await owner.send("POST", at(shop.one));
    await expect(owner.send("DELETE", at(shop.one))).resolves.toMatchObject({ status: 204, body: undefined });
    await expect(works(body.value)).resolves.toBe(false);
    await expect(owner.send("DELETE", at(shop.one))).resolves.toMatchObject(notFound);
    await expect(owner.send("GET", at(shop.one))).resolves.toMatchObject({ body: { key: null } });
  });

  test("has its creator's access and is theirs and the owners' to change", async () => {
    const theirs = await member.send("POST", at(shop.two));
    expect(theirs.body.key.created_by).toBe(shop.member.member);
    await expect(owner.send("DELETE", at(shop.two))).resolves.toMatchObject({ status: 204 });
    const owners = await owner.send("POST", at(shop.two));
    await expect(member.send("POST", at(shop.two))).resolves.toMatchObject(forbidden);
    await expect(member.send("DELETE", at(shop.two))).resolves.toMatchObject(forbidden);
    await expect(member.send("GET", at(shop.two))).resolves.toMatchObject({ body: shown(owners) });
    await expect(works(owners.body.value)).resolves.toBe(true);
  });

  test("does not exist for those without access to the site", async () => {
    await owner.send("POST", at(shop.one));
    for (const method of ["GET", "POST", "DELETE"]) {
      await expect(member.send(method, at(shop.one))).resolves.toMatchObject(notFound);
    }
  });

  test("is not made from another origin, nor on a plan below Unlimited", async () => {
    const elsewhere = { headers: { origin: "https://evil.example" } };
    await expect(owner.send("POST", at(shop.one), elsewhere)).resolves.toMatchObject(forbidden);
    await setPlan(service.config, shop.workspace, "growth");
    await expect(owner.send("POST", at(shop.one))).resolves.toMatchObject({
      status: 403,
      body: { code: "PLAN_REQUIRED" },
    });
    await expect(owner.send("GET", at(shop.one))).resolves.toMatchObject({ body: { key: null } });
  });

  test("that a lower plan refused to replace is the one it was", async () => {
    const { body } = await owner.send("POST", at(shop.one));
    await setPlan(service.config, shop.workspace, "growth");
    await owner.send("POST", at(shop.one));
    await setPlan(service.config, shop.workspace, "unlimited");
    await expect(works(body.value)).resolves.toBe(true);
  });
});

describe("under concurrency", () => {
  const settle = async <T>(work: readonly Promise<T>[]) => {
    const settled = await Promise.allSettled(work);
    return {
      done: settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])),
      codes: settled.flatMap((one) => (one.status === "rejected" ? [one.reason.code ?? one.reason] : [])),
    };
  };
  const twenty = <T>(work: () => Promise<T>) => settle(Array.from({ length: 20 }, work));

  test.each(["first", "next"])(
    "20 makings of a %s key give one, and it alone opens anything",
    async (which) => {
      const old = which === "first" ? null : (await someAiAccess(service.config, shop)).key;
      const { done, codes } = await twenty(() => someAiAccess(service.config, shop, old));
      expect(done).toHaveLength(1);
      expect(codes).toEqual(Array(19).fill("CONFLICT"));
      await expect(findAiAccess(service.config, shop.one.id)).resolves.toEqual(done[0]?.key);
      await expect(works(done[0]?.value ?? "")).resolves.toBe(true);
    },
  );

  test("a key replaced and revoked at once is one or the other, never both", async () => {
    const { workspace, one, owner } = shop;
    const purpose = { workspace, site: one.id, member: owner.member };
    const { key: old, value } = await someAiAccess(service.config, shop);
    const replacing = settle([replaceAiAccess(service.config, purpose, old, { now: NOW, random })]);
    const revoking = settle([revokeAiAccess(service.config, old)]);
    const [replaced, revoked] = [await replacing, await revoking];
    expect(replaced.done.length + revoked.done.length).toBe(1);
    const left = await findAiAccess(service.config, one.id);
    expect(left).toEqual(replaced.done[0]?.key ?? null);
    await expect(works(value)).resolves.toBe(false);
  });
});
