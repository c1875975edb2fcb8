import { readdirSync, readFileSync } from "node:fs";
import { type LocalService, startLocal } from "../../infra/local/service";
import { FUNCTIONS } from "../../infra/manifest";

/** `events/<function>/<case>.json`: what `sam local invoke` is given. */
const functions = Object.keys(FUNCTIONS);
const cases = functions.flatMap((id) => readdirSync(`events/${id}`).map((file) => [id, file] as const));

let service: LocalService;
beforeAll(async () => {
  service = await startLocal();
}, 60_000);
afterAll(() => service.close());

it("has events of functions that exist, and of every one", () => {
  expect(readdirSync("events").sort()).toEqual(functions.toSorted());
});

it.each(cases)("%s takes %s without failing", async (id, file) => {
  const logicalId = `${id[0]?.toUpperCase()}${id.slice(1)}Function`;
  const outcome = await service.invoke(logicalId, JSON.parse(readFileSync(`events/${id}/${file}`, "utf8")));
  expect(outcome).toMatchObject({ ok: true });
  const { statusCode, batchItemFailures } = (outcome as { payload?: Record<string, unknown> }).payload ?? {};
  if (statusCode !== undefined) expect(statusCode).toBeLessThan(500);
  expect(batchItemFailures ?? []).toEqual([]);
});
