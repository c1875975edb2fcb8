import { createHash } from "node:crypto";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { DAY, MINUTE } from "../../shared/domain/instant";
import { deleteMember, updateMember } from "../../shared/storage/access/members";
import { sessionKey } from "../../shared/storage/access/session-keys";
import { type Engine, startEngine } from "../support/engine";
import type { Browser } from "./browser";
import { NOW, PASSWORD, type Service, type SomeWorkspace, someWorkspace, startService } from "./support";

let engine: Engine;
let service: Service;
let shop: SomeWorkspace;
let browser: Browser;

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());
beforeEach(async () => {
  service = startService(engine);
  shop = await someWorkspace(service.config);
  browser = service.browser();
});

const logIn = (body: unknown, sent = {}) => browser.send("POST", "/api/auth/login", { body, ...sent });
const right = () => ({ email: shop.owner.email, password: PASSWORD });
const me = () => browser.send("GET", "/api/manage/me");

describe("logging in", () => {
  test("answers who one is and sets a session that the management API takes", async () => {
    const answer = await logIn(right());
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      member: {
        id: shop.owner.member,
        email: shop.owner.email,
        name: "Olga",
        role: "owner",
        sites: "all",
        created: "2026-11-21T10:00:00.000Z",
      },
      workspace: { id: shop.workspace, name: "Shop", plan: "unlimited", created: "2026-11-21T10:00:00.000Z" },
    });
    expect(answer.headers["cache-control"]).toBe("no-store");
    await expect(me()).resolves.toMatchObject({ status: 200, body: answer.body });
  });

  test("takes the e-mail in any case and with spaces around it", async () => {
    const answer = await logIn({ email: ` ${shop.owner.email.toUpperCase()} `, password: PASSWORD });
    expect(answer.status).toBe(200);
  });

  test("over https the cookie is Secure, HttpOnly, SameSite=Lax and bound to this host for 14 days", async () => {
    const { cookies } = await logIn(right());
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Host-session=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
  });

  test("over plain http the cookie does without Secure, so that the local run works in every browser", async () => {
    const headers = { "x-forwarded-proto": "http", origin: "http://app.example" };
    const { cookies } = await logIn(right(), { headers });
    expect(cookies[0]).toMatch(/^session=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/);
    await expect(browser.send("GET", "/api/manage/me", { headers })).resolves.toHaveProperty("status", 200);
  });

  test("stores the session by its hash only, with a time to live", async () => {
    await logIn(right());
    const token = browser.cookie?.split("=")[1] ?? "";
    const { Item } = await engine.dynamo.send(
      new GetCommand({
        TableName: engine.tables.Ephemeral,
        Key: sessionKey(createHash("sha256").update(token).digest("hex")),
      }),
    );
    expect(Item).toMatchObject({ member: shop.owner.member, ttl: (NOW + 14 * DAY) / 1_000 });
    expect(JSON.stringify(Item)).not.toContain(token);
  });

  test("ends the session that came along: a login never continues another's session", async () => {
    await logIn(right());
    const before = browser.cookie;
    await logIn({ email: shop.member.email, password: PASSWORD });
    expect(browser.cookie).not.toBe(before);
    await expect(me()).resolves.toMatchObject({ body: { member: { id: shop.member.member } } });
    browser.cookie = before;
    await expect(me()).resolves.toMatchObject({ status: 401, body: { code: "LOGIN_REQUIRED" } });
  });
});

describe("wrong credentials", () => {
  test("a wrong password and an unknown e-mail are answered alike and after the same work", async () => {
    const wrong = await logIn({ email: shop.owner.email, password: "not it" });
    const unknown = await logIn({ email: "nobody@shop.example", password: "not it" });
    expect(wrong).toMatchObject({ status: 401, body: { code: "BAD_CREDENTIALS" }, cookies: [] });
    expect({ ...unknown, headers: {} }).toEqual({ ...wrong, headers: {} });
    const costs = service.verified.map((hash) => hash.split("$")[2]);
    expect(costs).toHaveLength(2);
    expect(costs[0]).toBe(costs[1]);
  });

  test("what is no e-mail is just wrong", async () => {
    for (const email of ["", "x", "a".repeat(254), "drop table", "\u0000"]) {
      await expect(logIn({ email, password: "x" })).resolves.toHaveProperty("status", 401);
    }
  });

  test.each<[string, unknown, string]>([
    ["no e-mail", { password: "x" }, "email: is required."],
    ["no password", { email: "a@b.example" }, "password: is required."],
    ["a number for an e-mail", { email: 5, password: "x" }, "email: "],
    ["an object for a password", { email: "a@b.example", password: { $ne: 1 } }, "password: "],
    ["a huge password", { email: "a@b.example", password: "x".repeat(201) }, "password: "],
    ["a field we do not know", { ...{ email: "a@b.example", password: "x" }, admin: true }, "admin"],
    ["a list", [], "Invalid input"],
    ["null", null, "Invalid input"],
  ])("%s is a BAD_REQUEST that names the field", async (_, body, message) => {
    const answer = await logIn(body);
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
    expect(answer.body.error).toContain(message);
  });

  test.each<[string, string | Uint8Array]>([
    ["an empty body", ""],
    ["half a body", '{"email":'],
    ["a form", "email=a&password=b"],
    ["bytes that are no UTF-8", new Uint8Array([0x22, 0xff, 0xfe, 0x22])],
    ["a deep nest", "[".repeat(30_000) + "]".repeat(30_000)],
    ["lone surrogates", '{"email":"\\ud800","password":"x"}'],
  ])("%s is a BAD_REQUEST", async (_, raw) => {
    await expect(browser.send("POST", "/api/auth/login", { raw })).resolves.toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST" },
    });
  });

  test("a body over 64 KB is OVERSIZED, one that is not declared as JSON a BAD_REQUEST", async () => {
    const huge = await browser.send("POST", "/api/auth/login", { raw: " ".repeat(65_537) });
    expect(huge).toMatchObject({ status: 413, body: { code: "OVERSIZED" } });
    const headers = { "content-type": "text/plain" };
    await expect(logIn(right(), { headers })).resolves.toHaveProperty("status", 400);
  });
});

describe("throttle", () => {
  const wrong = () => logIn({ email: shop.owner.email, password: "not it" });

  test("ten failures refuse the e-mail, even with the right password, until the window has rolled", async () => {
    for (let i = 0; i < 10; i++) await expect(wrong()).resolves.toHaveProperty("status", 401);
    const refused = await logIn(right(), { address: "203.0.113.1" });
    expect(refused).toMatchObject({
      status: 429,
      body: { code: "TOO_MANY_ATTEMPTS" },
      headers: { "retry-after": "900" },
    });
    service.time.now += 15 * MINUTE;
    await expect(logIn(right())).resolves.toHaveProperty("status", 200);
  });

  test("of 50 guesses at once no more than ten reach the password", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, wrong));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40);
    expect(service.verified).toHaveLength(10);
  });

  test("a successful login begins the count anew, so that daily work never meets the limit", async () => {
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 9; i++) await expect(wrong()).resolves.toHaveProperty("status", 401);
      await expect(logIn(right())).resolves.toHaveProperty("status", 200);
    }
  });

  test("fifty attempts refuse the address, without using up those of the e-mails it tried", async () => {
    for (let i = 0; i < 50; i++) {
      await expect(logIn({ email: `${i}@x.example`, password: "x" })).resolves.toHaveProperty("status", 401);
    }
    for (let i = 0; i < 11; i++) await expect(wrong()).resolves.toHaveProperty("status", 429);
    await expect(logIn(right(), { address: "203.0.113.1" })).resolves.toHaveProperty("status", 200);
  });
});

describe("sessions", () => {
  test("a session lasts 14 days and not a millisecond more, used or not", async () => {
    await logIn(right());
    service.time.now = NOW + 14 * DAY - 1;
    await expect(me()).resolves.toHaveProperty("status", 200);
    service.time.now = NOW + 14 * DAY;
    await expect(me()).resolves.toHaveProperty("status", 401);
  });

  test("logging out ends the session on the server and clears the cookie", async () => {
    await logIn(right());
    const cookie = browser.cookie;
    const answer = await browser.send("POST", "/api/auth/logout");
    expect(answer.status).toBe(204);
    expect(answer.cookies[0]).toMatch(/^__Host-session=; Path=\/; Max-Age=0;/);
    browser.cookie = cookie;
    await expect(me()).resolves.toHaveProperty("status", 401);
  });

  test("logging out without a session, or with rubbish for one, is fine", async () => {
    for (const cookie of [
      undefined,
      "__Host-session=x",
      `__Host-session=${"A".repeat(43)}`,
      "__Host-session=",
    ]) {
      browser.cookie = cookie;
      await expect(browser.send("POST", "/api/auth/logout")).resolves.toHaveProperty("status", 204);
    }
  });

  test("no cookie, rubbish, and a guessed token are LOGIN_REQUIRED", async () => {
    for (const cookie of [
      undefined,
      "x",
      "__Host-session=",
      `__Host-session=${"A".repeat(43)}`,
      "session=x",
    ]) {
      browser.cookie = cookie;
      await expect(me()).resolves.toMatchObject({ status: 401, body: { code: "LOGIN_REQUIRED" } });
    }
  });

  test("a new password ends every session of the member, and nobody else's", async () => {
    const other = await service.loggedIn(shop.member);
    await logIn(right());
    await updateMember(service.config, shop.owner, { passwordHash: shop.owner.passwordHash });
    await expect(me()).resolves.toHaveProperty("status", 401);
    await expect(other.send("GET", "/api/manage/me")).resolves.toHaveProperty("status", 200);
  });

  test("a removed member is out at once, and cannot log in again", async () => {
    browser = await service.loggedIn(shop.member);
    await deleteMember(service.config, shop.member);
    await expect(me()).resolves.toHaveProperty("status", 401);
    const again = await logIn({ email: shop.member.email, password: PASSWORD });
    expect(again.status).toBe(401);
  });
});

describe("requests from elsewhere", () => {
  test.each<[string, Record<string, string>]>([
    ["another site", { origin: "https://evil.example" }],
    ["a sandboxed page", { origin: "null" }],
    ["a sister host", { origin: "https://evil.app.example" }],
  ])("a login from %s is FORBIDDEN and sets nothing", async (_, headers) => {
    const answer = await logIn(right(), { headers });
    expect(answer).toMatchObject({ status: 403, body: { code: "FORBIDDEN" }, cookies: [] });
  });

  test("a change from another site is FORBIDDEN although the cookie came along; reading is not a change", async () => {
    browser = await service.loggedIn(shop.owner);
    const headers = { origin: "https://evil.example" };
    const body = { plan: "starter" };
    await expect(browser.send("PATCH", "/api/manage/plan", { body, headers })).resolves.toHaveProperty(
      "status",
      403,
    );
    await expect(browser.send("GET", "/api/manage/plan", { headers })).resolves.toMatchObject({
      status: 200,
      body: { plan: "unlimited" },
    });
  });
});

test("another path behind the function is NOT_FOUND", async () => {
  await expect(browser.send("POST", "/api/auth/other")).resolves.toHaveProperty("status", 404);
});
