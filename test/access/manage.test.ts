import * as z from "zod";
import { ROUTES } from "../../functions/manage/routes";
import { parseApiKey } from "../../shared/domain/access/api-key";
import { DAY, toIso } from "../../shared/domain/instant";
import { findStanding } from "../../shared/storage/access/credentials";
import { type Engine, startEngine } from "../support/engine";
import type { Browser } from "./browser";
import {
  NOW,
  nextEmail,
  PASSWORD,
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
let stranger: SomeWorkspace;
let owner: Browser;
let member: Browser;

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());
beforeEach(async () => {
  service = startService(engine);
  [shop, stranger] = [await someWorkspace(service.config), await someWorkspace(service.config)];
  [owner, member] = [await service.loggedIn(shop.owner), await service.loggedIn(shop.member)];
});

const SITES = "/api/manage/sites";
const MEMBERS = "/api/manage/members";
const keysOf = (site: { id: number }) => `${SITES}/${site.id}/api-keys`;

const forbidden = { status: 403, body: { code: "FORBIDDEN" } };
const notFound = { status: 404, body: { code: "NOT_FOUND" } };
const badRequest = (text: string) => ({
  status: 400,
  body: { code: "BAD_REQUEST", error: expect.stringContaining(text) },
});

describe("every route", () => {
  const real = (path: string) =>
    path
      .replace("{site_id}", String(shop.one.id))
      .replace("{member_id}", String(shop.member.member))
      .replace("{key_id}", `key_${"0".repeat(26)}`)
      .replace("{funnel_id}", "1")
      .replace("{integration_id}", `nint_${"0".repeat(26)}`)
      .replace("{webhook_id}", `whin_${"0".repeat(26)}`)
      .replace("{custom_event_id}", `cev_${"0".repeat(32)}`);

  test.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "%s asks for a login",
    async (_, { method, path }) => {
      const answer = await service.browser().send(method, real(path), { body: {} });
      expect(answer).toMatchObject({ status: 401, body: { code: "LOGIN_REQUIRED" } });
    },
  );

  const writing = ROUTES.filter((route) => route.body);
  const hostile: readonly [string, string | Uint8Array][] = [
    ["nothing", ""],
    ["half", '{"name":'],
    ["null", "null"],
    ["a number", "5"],
    ["a list", "[[]]"],
    ["a deep nest", `{"name":${"[".repeat(20_000)}${"]".repeat(20_000)}}`],
    ["bytes that are no UTF-8", new Uint8Array([0x7b, 0xff, 0x7d])],
    ["wrong types", '{"name":{},"domain":5,"plan":[],"email":true,"role":1,"sites":"some","password":0}'],
    ["lone surrogates", '{"name":"\\ud800","email":"\\udfff@x.example","domain":"\\ud800.example"}'],
    ["unknown fields", '{"__proto__":{"role":"owner"},"constructor":1,"workspace":2,"id":1}'],
  ];
  test.each(
    writing.flatMap((route) =>
      hostile.map((body) => [`${route.method} ${route.path}`, ...body, route] as const),
    ),
  )("%s takes %s for a BAD_REQUEST", async (_, __, raw, { method, path }) => {
    const answer = await owner.send(method, real(path), { raw });
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
  });

  test.each(writing.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "%s refuses 65 KB and other content types",
    async (_, { method, path }) => {
      const huge = await owner.send(method, real(path), { raw: `{"name":"${"x".repeat(65_536)}"}` });
      expect(huge).toMatchObject({ status: 413, body: { code: "OVERSIZED" } });
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      await expect(owner.send(method, real(path), { body: {}, headers })).resolves.toMatchObject(
        badRequest("Content-Type"),
      );
    },
  );

  test("a wrong method is METHOD_NOT_ALLOWED and told what is allowed; an unknown path is NOT_FOUND", async () => {
    await expect(owner.send("PUT", SITES)).resolves.toMatchObject({
      status: 405,
      body: { code: "METHOD_NOT_ALLOWED" },
      headers: { allow: "GET, POST" },
    });
    await expect(owner.send("DELETE", `${SITES}/${shop.one.id}`)).resolves.toHaveProperty("status", 405);
    for (const path of [
      "/api/manage",
      "/api/manage/",
      "/api/manage/other",
      `${SITES}/`,
      `${SITES}//api-keys`,
    ]) {
      await expect(owner.send("GET", path)).resolves.toMatchObject(notFound);
    }
  });

  test("an id that cannot be one names nothing", async () => {
    for (const id of ["0", "-1", "1.0", "01", "1e3", "x", "%31", "99999999999", "9999999999", "../1"]) {
      await expect(owner.send("GET", `${SITES}/${id}`)).resolves.toMatchObject(notFound);
      await expect(owner.send("GET", `${MEMBERS}/${id}`)).resolves.toMatchObject(notFound);
      await expect(owner.send("DELETE", `${keysOf(shop.one)}/${id}`)).resolves.toMatchObject(notFound);
    }
  });
});

describe("sites", () => {
  test("an owner sees all sites of the workspace, a member those they were given, and nobody another workspace's", async () => {
    const ids = async (browser: Browser) =>
      (await browser.send("GET", SITES)).body.sites.map((site: { id: number }) => site.id);
    await expect(ids(owner)).resolves.toEqual([shop.one.id, shop.two.id]);
    await expect(ids(member)).resolves.toEqual([shop.two.id]);
    for (const site of [stranger.one, shop.one]) {
      await expect(member.send("GET", `${SITES}/${site.id}`)).resolves.toMatchObject(notFound);
    }
    await expect(owner.send("GET", `${SITES}/${stranger.one.id}`)).resolves.toMatchObject(notFound);
  });

  test("a site is created with its domain made plain, and can be read at once", async () => {
    const created = await owner.send("POST", SITES, {
      body: { domain: "https://www.New.example/x", name: " New " },
    });
    expect(created).toMatchObject({ status: 201, body: { domain: "new.example", name: "New" } });
    await expect(owner.send("GET", `${SITES}/${created.body.id}`)).resolves.toMatchObject({
      body: created.body,
    });
  });

  test("a site without a name is called by its domain", async () => {
    const { body } = await owner.send("POST", SITES, { body: { domain: "plain.example" } });
    expect(body.name).toBe("plain.example");
  });

  test("a domain is taken once in a workspace, and free again after the site has moved", async () => {
    const taken = { status: 409, body: { code: "CONFLICT" } };
    await expect(owner.send("POST", SITES, { body: { domain: "one.example" } })).resolves.toMatchObject(
      taken,
    );
    const path = `${SITES}/${shop.one.id}`;
    await expect(owner.send("PATCH", path, { body: { domain: "two.example" } })).resolves.toMatchObject(
      taken,
    );
    await expect(owner.send("PATCH", path, { body: { domain: "uno.example" } })).resolves.toMatchObject({
      status: 200,
      body: { id: shop.one.id, domain: "uno.example", name: "One" },
    });
    await expect(owner.send("POST", SITES, { body: { domain: "one.example" } })).resolves.toHaveProperty(
      "status",
      201,
    );
  });

  test("a change of nothing changes nothing", async () => {
    const path = `${SITES}/${shop.one.id}`;
    const before = await owner.send("GET", path);
    await expect(owner.send("PATCH", path, { body: {} })).resolves.toMatchObject({
      status: 200,
      body: before.body,
    });
  });

  test("only owners add and change sites", async () => {
    await expect(member.send("POST", SITES, { body: { domain: "x.example" } })).resolves.toMatchObject(
      forbidden,
    );
    const path = `${SITES}/${shop.two.id}`;
    await expect(member.send("PATCH", path, { body: { name: "X" } })).resolves.toMatchObject(forbidden);
  });

  test("bad values are refused by the field's name", async () => {
    for (const [body, text] of [
      [{}, "domain: is required"],
      [{ domain: "not a domain" }, "domain: must be a domain"],
      [{ domain: "x.example", name: "" }, "name: must not be empty"],
      [{ domain: "x.example", name: null }, "name: "],
      [{ domain: "x.example", workspace: 1 }, "workspace"],
    ] as const) {
      await expect(owner.send("POST", SITES, { body })).resolves.toMatchObject(badRequest(text));
    }
  });
});

describe("API keys", () => {
  const create = (browser: Browser, site: { id: number }, body: unknown) =>
    browser.send("POST", keysOf(site), { body });
  const standingOf = (value: string) => {
    const claims = parseApiKey(value);
    return claims && findStanding(service.config, value, claims);
  };

  test("the full value is in the answer to the creation and never again", async () => {
    const created = await create(owner, shop.one, { name: " Looker " });
    expect(created).toMatchObject({
      status: 201,
      body: { name: "Looker", created: toIso(NOW), created_by: shop.owner.member, expires: null },
    });
    const { value, ...shown } = created.body;
    expect(parseApiKey(value)).not.toBeNull();
    expect(shown.preview).toBe(`${value.slice(0, 8)}…${value.slice(-4)}`);
    const list = await owner.send("GET", keysOf(shop.one));
    expect(list.body).toEqual({ api_keys: [shown] });
    expect(JSON.stringify(list.body)).not.toContain(value);
  });

  test("the key is good at once, for the creator's sites", async () => {
    const { body } = await create(member, shop.two, { name: "Mine" });
    await expect(standingOf(body.value)).resolves.toMatchObject({
      keyId: body.id,
      workspace: shop.workspace,
      sites: [shop.two.id],
    });
  });

  test("an expiry is taken with any offset, kept as an instant, and must lie ahead", async () => {
    const { body } = await create(owner, shop.one, { name: "Trial", expires: "2026-12-01T00:00:00+05:30" });
    expect(body.expires).toBe("2026-11-30T18:30:00.000Z");
    for (const expires of [
      toIso(NOW),
      "2020-01-01T00:00:00Z",
      "tomorrow",
      "2026-12-01",
      "2026-13-01T00:00:00Z",
      5,
    ]) {
      await expect(create(owner, shop.one, { name: "Trial", expires })).resolves.toMatchObject(
        badRequest("expires: "),
      );
    }
    await expect(create(owner, shop.one, { name: "Ever", expires: null })).resolves.toHaveProperty(
      "status",
      201,
    );
  });

  test("a name is required, and at most 100 characters long", async () => {
    for (const body of [
      {},
      { name: "" },
      { name: "  " },
      { name: "x".repeat(101) },
      { name: null },
      { name: "a\nb" },
    ]) {
      await expect(create(owner, shop.one, body)).resolves.toMatchObject(badRequest("name: "));
    }
  });

  test.each(["starter", "growth"])(
    "on the plan %s no key can be created; those there are stay listed",
    async (plan) => {
      await create(owner, shop.one, { name: "Before" });
      await owner.send("PATCH", "/api/manage/plan", { body: { plan } });
      await expect(create(owner, shop.one, { name: "After" })).resolves.toMatchObject({
        status: 403,
        body: { code: "PLAN_REQUIRED" },
      });
      const list = await owner.send("GET", keysOf(shop.one));
      expect(list.body.api_keys).toHaveLength(1);
    },
  );

  test("the list is the site's own: no revoked key, no plugin's, no MCP key, no other site's", async () => {
    const kept = await create(owner, shop.one, { name: "Kept" });
    const revoked = await create(owner, shop.one, { name: "Revoked" });
    await owner.send("DELETE", `${keysOf(shop.one)}/${revoked.body.id}`);
    await create(owner, shop.two, { name: "Elsewhere" });
    const hidden = [
      await someKey(service.config, shop, { kind: "plugin" }),
      await someAiAccess(service.config, shop),
    ];
    const list = await owner.send("GET", keysOf(shop.one));
    expect(list.body.api_keys.map((key: { id: string }) => key.id)).toEqual([kept.body.id]);
    for (const { key, value } of hidden) {
      await expect(owner.send("DELETE", `${keysOf(shop.one)}/${key.id}`)).resolves.toMatchObject(notFound);
      await expect(standingOf(value)).resolves.not.toBeNull();
    }
  });

  test("a deleted key is gone at once and stays gone", async () => {
    const { body } = await create(owner, shop.one, { name: "Doomed" });
    const path = `${keysOf(shop.one)}/${body.id}`;
    await expect(owner.send("DELETE", path)).resolves.toMatchObject({ status: 204, body: undefined });
    await expect(standingOf(body.value)).resolves.toBeNull();
    await expect(owner.send("DELETE", path)).resolves.toMatchObject(notFound);
    await expect(owner.send("PATCH", path, { body: { name: "Again" } })).resolves.toMatchObject(notFound);
  });

  test("a key is renamed, and nothing else about it changes", async () => {
    const { body } = await create(owner, shop.one, { name: "Old" });
    const { value, ...shown } = body;
    const path = `${keysOf(shop.one)}/${body.id}`;
    const renamed = await owner.send("PATCH", path, { body: { name: "New" } });
    expect(renamed).toMatchObject({ status: 200, body: { ...shown, name: "New" } });
    await expect(owner.send("PATCH", path, { body: { name: "X", expires: null } })).resolves.toMatchObject(
      badRequest("expires"),
    );
    await expect(standingOf(value)).resolves.not.toBeNull();
  });

  test("a key is not found by another site's path, by another workspace, or by a member without the site", async () => {
    const { body } = await create(owner, shop.one, { name: "Mine" });
    const other = await service.loggedIn(stranger.owner);
    await expect(owner.send("DELETE", `${keysOf(shop.two)}/${body.id}`)).resolves.toMatchObject(notFound);
    await expect(other.send("DELETE", `${keysOf(shop.one)}/${body.id}`)).resolves.toMatchObject(notFound);
    await expect(member.send("DELETE", `${keysOf(shop.one)}/${body.id}`)).resolves.toMatchObject(notFound);
    await expect(member.send("GET", keysOf(shop.one))).resolves.toMatchObject(notFound);
    await expect(create(member, shop.one, { name: "Sneaky" })).resolves.toMatchObject(notFound);
    await expect(standingOf(body.value)).resolves.not.toBeNull();
  });

  test("a member changes their own keys only, an owner all of the workspace's", async () => {
    const mine = await create(member, shop.two, { name: "Member's" });
    const theirs = await create(owner, shop.two, { name: "Owner's" });
    await expect(member.send("DELETE", `${keysOf(shop.two)}/${theirs.body.id}`)).resolves.toMatchObject(
      forbidden,
    );
    await expect(
      member.send("PATCH", `${keysOf(shop.two)}/${mine.body.id}`, { body: { name: "Mine" } }),
    ).resolves.toHaveProperty("status", 200);
    await expect(owner.send("DELETE", `${keysOf(shop.two)}/${mine.body.id}`)).resolves.toHaveProperty(
      "status",
      204,
    );
  });
});

describe("plan", () => {
  test("everybody sees the plan, owners change it, to one there is", async () => {
    const shown = { plan: "unlimited", plans: ["starter", "growth", "unlimited"], api_access: true };
    await expect(member.send("GET", "/api/manage/plan")).resolves.toMatchObject({ status: 200, body: shown });
    const change = (browser: Browser, plan: unknown) =>
      browser.send("PATCH", "/api/manage/plan", { body: { plan } });
    await expect(change(member, "starter")).resolves.toMatchObject(forbidden);
    await expect(change(owner, "gold")).resolves.toMatchObject(badRequest("plan: "));
    await expect(change(owner, "growth")).resolves.toMatchObject({
      body: { plan: "growth", api_access: false },
    });
    await expect(member.send("GET", "/api/manage/me")).resolves.toMatchObject({
      body: { workspace: { plan: "growth" } },
    });
  });
});

describe("members", () => {
  const newcomer = (fields = {}) => ({
    email: nextEmail(),
    name: "Nina",
    sites: [shop.one.id],
    password: PASSWORD,
    ...fields,
  });

  test("an owner adds a member, who can log in at once and sees their sites", async () => {
    const body = newcomer({ email: ` Nina-${nextEmail()}` });
    const created = await owner.send("POST", MEMBERS, { body });
    expect(created).toMatchObject({ status: 201, body: { role: "member", sites: [shop.one.id] } });
    expect(JSON.stringify(created.body)).not.toMatch(/password|scrypt/i);
    const nina = await service.loggedIn({ email: body.email });
    const { body: seen } = await nina.send("GET", SITES);
    expect(seen.sites.map((site: { id: number }) => site.id)).toEqual([shop.one.id]);
  });

  test("the list has every member and no secret", async () => {
    const { body } = await owner.send("GET", MEMBERS);
    expect(body.members.map(({ id }: { id: number }) => id)).toEqual([shop.owner.member, shop.member.member]);
    expect(JSON.stringify(body)).not.toMatch(/password|scrypt/i);
  });

  test("an e-mail belongs to one member of the service, whatever its case", async () => {
    for (const email of [shop.member.email, stranger.owner.email.toUpperCase()]) {
      await expect(owner.send("POST", MEMBERS, { body: newcomer({ email }) })).resolves.toMatchObject({
        status: 409,
        body: { code: "CONFLICT" },
      });
    }
  });

  test("bad values are refused by the field's name", async () => {
    for (const [fields, text] of [
      [{ email: "nina" }, "email: must be an e-mail address"],
      [{ password: "short" }, "password: must have at least 12 characters"],
      [{ role: "admin" }, "role: "],
      [{ sites: undefined }, "sites: is required"],
      [{ sites: "some" }, "sites: "],
      [{ sites: [stranger.one.id] }, `sites: the workspace has no site ${stranger.one.id}`],
      [{ sites: Array.from({ length: 201 }, (_, i) => i + 1) }, "sites: "],
      [{ role: "owner" }, "sites: an owner has access to all sites"],
      [{ name: "" }, "name: "],
    ] as const) {
      await expect(owner.send("POST", MEMBERS, { body: newcomer(fields) })).resolves.toMatchObject(
        badRequest(text),
      );
    }
  });

  test("without being an owner one sees and changes only oneself, and neither role nor access", async () => {
    const self = `${MEMBERS}/${shop.member.member}`;
    await expect(member.send("GET", MEMBERS)).resolves.toMatchObject(forbidden);
    await expect(member.send("POST", MEMBERS, { body: newcomer() })).resolves.toMatchObject(forbidden);
    await expect(member.send("DELETE", self)).resolves.toMatchObject(forbidden);
    await expect(member.send("GET", `${MEMBERS}/${shop.owner.member}`)).resolves.toMatchObject(notFound);
    await expect(member.send("PATCH", self, { body: { role: "owner" } })).resolves.toMatchObject(forbidden);
    await expect(member.send("PATCH", self, { body: { sites: "all" } })).resolves.toMatchObject(forbidden);
    await expect(member.send("PATCH", self, { body: { name: "Maxi" } })).resolves.toMatchObject({
      status: 200,
      body: { name: "Maxi", role: "member", sites: [shop.two.id] },
    });
  });

  test("one's own password changes against the one in use, and ends the sessions; an owner resets others'", async () => {
    const self = `${MEMBERS}/${shop.member.member}`;
    const password = "another good password";
    for (const current of [{}, { current_password: "wrong" }]) {
      await expect(member.send("PATCH", self, { body: { password, ...current } })).resolves.toMatchObject(
        badRequest("current_password: "),
      );
    }
    const changed = await member.send("PATCH", self, { body: { password, current_password: PASSWORD } });
    expect(changed.status).toBe(200);
    await expect(member.send("GET", "/api/manage/me")).resolves.toHaveProperty("status", 401);
    await expect(owner.send("PATCH", self, { body: { password: PASSWORD } })).resolves.toHaveProperty(
      "status",
      200,
    );
    await expect(service.loggedIn(shop.member)).resolves.toBeDefined();
  });

  test("a change of access holds for open sessions at once", async () => {
    const path = `${MEMBERS}/${shop.member.member}`;
    await owner.send("PATCH", path, { body: { sites: [shop.one.id, shop.one.id] } });
    await expect(member.send("GET", `${SITES}/${shop.one.id}`)).resolves.toHaveProperty("status", 200);
    await expect(member.send("GET", `${SITES}/${shop.two.id}`)).resolves.toMatchObject(notFound);
  });

  test("the last owner can neither leave nor step down; the second to last can", async () => {
    const [self, other] = [`${MEMBERS}/${shop.owner.member}`, `${MEMBERS}/${shop.member.member}`];
    const refused = { status: 409, body: { code: "CONFLICT" } };
    await expect(owner.send("DELETE", self)).resolves.toMatchObject(refused);
    await expect(owner.send("PATCH", self, { body: { role: "member" } })).resolves.toMatchObject(refused);
    await expect(owner.send("PATCH", other, { body: { role: "owner" } })).resolves.toMatchObject({
      body: { role: "owner", sites: "all" },
    });
    await expect(owner.send("PATCH", self, { body: { role: "member" } })).resolves.toHaveProperty(
      "status",
      200,
    );
    await expect(member.send("DELETE", other)).resolves.toMatchObject(refused);
  });

  test("another workspace's members do not exist", async () => {
    const path = `${MEMBERS}/${stranger.member.member}`;
    await expect(owner.send("GET", path)).resolves.toMatchObject(notFound);
    await expect(owner.send("PATCH", path, { body: { name: "X" } })).resolves.toMatchObject(notFound);
    await expect(owner.send("DELETE", path)).resolves.toMatchObject(notFound);
  });
});

describe("description", () => {
  test("every route is in the OpenAPI document, with its parameters, body and answer", async () => {
    const { status, body } = await service.browser().send("GET", "/api-docs/manage.json");
    expect(status).toBe(200);
    expect(body.openapi).toBe("3.1.0");
    for (const route of ROUTES) {
      const operation = body.paths[route.path][route.method.toLowerCase()];
      expect(operation.summary).toBe(route.summary);
      const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const names = (operation.parameters ?? []).map(({ name }: { name: string }) => name);
      expect(names).toEqual([...inPath, ...Object.keys(route.query?.shape ?? {})]);
      expect(Boolean(operation.requestBody)).toBe(Boolean(route.body));
      expect(operation.responses).toHaveProperty(String(route.status));
    }
    const create = body.paths["/api/manage/sites/{site_id}/api-keys"].post;
    const answered = create.responses[201].content["application/json"].schema;
    expect(Object.keys(answered.properties)).toContain("value");
    expect(create.requestBody.content["application/json"].schema.required).toEqual(["name"]);
  });

  test("an oversize body and a change that cannot be are described wherever they may be answered", async () => {
    const { body } = await service.browser().send("GET", "/api-docs/manage.json");
    for (const { method, path, body: taken } of ROUTES) {
      const { responses } = body.paths[path][method.toLowerCase()];
      expect(Object.hasOwn(responses, "409")).toBe(method !== "GET");
      expect(Object.hasOwn(responses, "413")).toBe(taken !== undefined);
    }
    const last = await owner.send("DELETE", `${MEMBERS}/${shop.owner.member}`);
    expect(last).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
  });

  test("what a route answers is described by the schema it leaves through", async () => {
    const { body } = await owner.send("POST", keysOf(shop.one), {
      body: { name: "K", expires: toIso(NOW + DAY) },
    });
    const route = ROUTES.find(({ method, path }) => method === "POST" && path.endsWith("/api-keys"));
    const { shape } = z.instanceof(z.ZodObject).parse(route?.answer);
    expect(Object.keys(body).sort()).toEqual(Object.keys(shape).sort());
  });
});
