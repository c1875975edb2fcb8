import { toIso } from "../../shared/domain/instant";
import { createFunnelDirectory } from "../../shared/storage/funnels/funnels";
import type { Browser } from "../access/browser";
import { NOW, type Service, type SomeWorkspace, someWorkspace, startService } from "../access/support";
import { type Engine, startEngine } from "../support/engine";

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

const url = (site: { id: number }, id = "") => `/api/manage/sites/${site.id}/funnels${id}`;
const saved = (site: { id: number }) =>
  createFunnelDirectory(engine.dynamo, engine.tables.Config).of(site.id);
const steps = [{ page: "/pricing" }, { event: "Purchase" }];
const create = (body: unknown, browser = owner, site = shop.one) => browser.send("POST", url(site), { body });
const notFound = { status: 404, body: { code: "NOT_FOUND" } };

test("a funnel is created, listed, read, and gone once deleted", async () => {
  const created = await create({
    name: " Buyers ",
    steps: [
      { page: "/über uns", step_name: "About" },
      { page: "/shop/*" },
      { event: " Demo booked " },
      { event: "Lead" },
    ],
  });
  expect(created).toMatchObject({
    status: 201,
    body: {
      id: 1,
      name: "Buyers",
      steps: [
        { step_name: "About", page: "/%C3%BCber%20uns" },
        { step_name: "/shop/*", page: "/shop/*" },
        { step_name: "Demo booked", event: "Demo booked" },
        { step_name: "Lead", event: "Lead" },
      ],
      created: toIso(NOW),
    },
  });
  await expect(owner.send("GET", url(shop.one))).resolves.toMatchObject({
    body: { funnels: [created.body] },
  });
  await expect(owner.send("GET", url(shop.one, "/1"))).resolves.toMatchObject({ body: created.body });
  await expect(owner.send("DELETE", url(shop.one, "/1"))).resolves.toMatchObject({ status: 204 });
  for (const method of ["GET", "DELETE"]) {
    await expect(owner.send(method, url(shop.one, "/1"))).resolves.toMatchObject(notFound);
  }
  await expect(owner.send("GET", url(shop.one))).resolves.toMatchObject({ body: { funnels: [] } });
});

test("what is answered can be sent back and changes nothing", async () => {
  const { body } = await create({ name: "Buyers", steps: [{ page: "/ü" }, { event: "Demo" }] });
  const { name, steps } = body;
  const again = await owner.send("PATCH", url(shop.one, "/1"), { body: { name, steps } });
  expect(again).toMatchObject({ status: 200, body });
  await expect(saved(shop.one)).resolves.toMatchObject({ funnels: [{ revision: 1 }] });
});

test("a change replaces what it names, and only that", async () => {
  await create({ name: "Buyers", steps });
  const renamed = await owner.send("PATCH", url(shop.one, "/1"), { body: { name: "Customers" } });
  expect(renamed.body).toMatchObject({ name: "Customers", steps });
  const turned = await owner.send("PATCH", url(shop.one, "/1"), { body: { steps: steps.toReversed() } });
  expect(turned.body).toMatchObject({ name: "Customers", steps: steps.toReversed(), created: toIso(NOW) });
  const none = await owner.send("PATCH", url(shop.one, "/1"), { body: {} });
  expect(none).toMatchObject({ status: 200, body: turned.body });
});

test("who builds cubes is woken for facets that are new or gone, and not for names", async () => {
  const { id: site } = shop.one;
  await create({ name: "Buyers", steps });
  await owner.send("PATCH", url(shop.one, "/1"), { body: { name: "Customers" } });
  await owner.send("PATCH", url(shop.one, "/1"), { body: { steps: steps.toReversed() } });
  await owner.send("DELETE", url(shop.one, "/1"));
  expect(service.built).toEqual([
    ...[{ site, facet: "funnel-1-1" }],
    ...[
      { site, facet: "funnel-1-1" },
      { site, facet: "funnel-1-2" },
    ],
    ...[{ site, facet: "funnel-1-2" }],
  ]);
});

test("a change stands although the message is lost", async () => {
  service.built.push = () => {
    throw new Error("no queue");
  };
  await expect(create({ name: "Buyers", steps })).resolves.toMatchObject({ status: 201 });
  await expect(saved(shop.one)).resolves.toMatchObject({ funnels: [{ name: "Buyers" }] });
});

test("members shape the funnels of the sites they are given, and see no others", async () => {
  await expect(create({ name: "Mine", steps }, member, shop.two)).resolves.toMatchObject({ status: 201 });
  await create({ name: "Buyers", steps });
  for (const [method, path] of [
    ["GET", url(shop.one)],
    ["GET", url(shop.one, "/1")],
    ["DELETE", url(shop.one, "/1")],
  ] as const) {
    await expect(member.send(method, path)).resolves.toMatchObject(notFound);
  }
  await expect(create({ name: "Foreign", steps }, member, shop.one)).resolves.toMatchObject(notFound);
  await expect(saved(shop.one)).resolves.toMatchObject({ funnels: [{ name: "Buyers" }] });
});

test("the 51st funnel is refused in words that help", async () => {
  for (let i = 0; i < 50; i++) await create({ name: `Funnel ${i}`, steps });
  await expect(create({ name: "One more", steps })).resolves.toMatchObject({
    status: 409,
    body: { code: "CONFLICT", error: expect.stringContaining("50 funnels") },
  });
});

const two = (step: unknown) => ({ name: "Buyers", steps: [{ page: "/" }, step] });
test.each<[unknown, string]>([
  [{ steps }, "name: is required"],
  [{ name: "", steps }, "name: must not be empty"],
  [{ name: "x".repeat(101), steps }, "name: must have at most 100 characters"],
  [{ name: "Buyers" }, "steps: is required"],
  [{ name: "Buyers", steps: [] }, "steps: must be 2 to 8 steps"],
  [{ name: "Buyers", steps: [{ page: "/" }] }, "steps: must be 2 to 8 steps"],
  [{ name: "Buyers", steps: Array(9).fill({ page: "/" }) }, "steps: must be 2 to 8 steps"],
  [{ name: "Buyers", steps: "all" }, "steps: "],
  [{ name: "Buyers", steps, id: 7 }, '"id"'],
  [two({}), "steps.1: must have either page or event"],
  [two(null), "steps.1: "],
  [two({ page: "/", event: "Lead" }), "steps.1: must have either page or event"],
  [two({ page: "/", path: "/" }), '"path"'],
  [two({ page: 5 }), "steps.1.page: "],
  [two({ page: "pricing" }), "steps.1.page: must begin with /"],
  [two({ page: "/a?b" }), "steps.1.page: must be without the query"],
  [two({ event: "" }), "steps.1.event: must be Lead, Schedule, Purchase or the name of a custom event"],
  [two({ event: "lead" }), "steps.1.event: must be Lead"],
  [two({ event: "x".repeat(101) }), "steps.1.event: must be Lead"],
  [two({ page: "/", step_name: "" }), "steps.1.step_name: must not be empty"],
  [two({ page: "/", step_name: "x".repeat(101) }), "steps.1.step_name: must have at most 100 characters"],
])("%j is refused by the field's name", async (body, text) => {
  const refused = { status: 400, body: { code: "BAD_REQUEST", error: expect.stringContaining(text) } };
  await expect(create(body)).resolves.toMatchObject(refused);
  await expect(saved(shop.one)).resolves.toMatchObject({ version: 0 });
});
