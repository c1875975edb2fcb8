import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { OPERATIONS } from "../../shared/domain/read-api/operations";
import { type Running, startService } from "../e2e/service";
import { problemsOf } from "./support";

const run = promisify(execFile);

/** Where client/reads.ts expects what is generated. */
const FOLDER = ".build/client";

type Reads = {
  useService(baseUrl: string, key: string): void;
  readAll(siteId: number): Promise<Record<string, { status: number; data: unknown }>>;
  leadsToPurchase(siteId: number): Promise<number | string>;
  sources(siteId: number, from: string, to: string): Promise<string[] | string>;
};

let service: Running;
let reads: Reads;
let description: { servers: unknown; paths: Record<string, { get: Described }> };
interface Described {
  responses: Record<string, { content: { "application/json": { example: unknown } } }>;
}

beforeAll(async () => {
  service = await startService();
  const served = await (await fetch(`${service.baseUrl}/api-docs/openapi.json`)).text();
  description = JSON.parse(served);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "openapi.json"), served);
  const generator = "node_modules/oazapfts/dist/cli.js";
  const generated = join(FOLDER, "api.ts");
  await run(process.execPath, [generator, join(FOLDER, "openapi.json"), generated, "--argumentStyle=object"]);
  // By a path that is computed, so that the types of the repository do not hang on what is generated.
  reads = (await import(join(__dirname, "client", "reads"))) as Reads;
  reads.useService(service.baseUrl, service.demo.api_key ?? "");
}, 120_000);
afterAll(() => service?.close());

const site = () => service.demo.sites[0]?.site_id ?? 0;

async function convert(eventType: string, body: Record<string, unknown>): Promise<void> {
  const url = service.demo.receiving_webhooks.find((webhook) => webhook.event_type === eventType)?.url ?? "";
  const headers = { "content-type": "application/json" };
  const { status } = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  expect(status).toBe(200);
}

test("a client generated from the description that is served compiles under the repository's own strict settings", async () => {
  await expect(run("node_modules/.bin/tsc", ["--noEmit", "-p", "test/docs/client"])).resolves.toMatchObject({
    stdout: "",
  });
});

test("it reads every operation, and what comes is valid under the description", async () => {
  const products = [{ sku: "lamp", name: "Reading lamp", price: 129 }];
  await convert("Purchase", { email: "a@shop.example", value: 129, order_id: "1", products });
  await convert("Lead", { email: "b@shop.example" });
  await convert("Lead", { email: "c@shop.example" });
  const answers = await reads.readAll(site());
  expect(Object.keys(answers).sort()).toEqual(OPERATIONS.map(({ name }) => name).sort());
  const answered = structuredClone(description);
  for (const [name, { status, data }] of Object.entries(answers)) {
    expect([name, status]).toEqual([name, 200]);
    const content = answered.paths[`/v1/${name}`]?.get.responses[200]?.content["application/json"];
    if (content) content.example = data;
  }
  expect(answered).not.toEqual(description);
  expect(await problemsOf(answered)).toEqual([]);
  expect(await reads.leadsToPurchase(site())).toBe(50);
});

test("it tells errors from figures by their status", async () => {
  expect(await reads.sources(site(), "2026-11-02", "2026-11-01")).toBe("from is later than to. Swap them.");
  expect(await reads.leadsToPurchase(999)).toBe("SITE_ACCESS_DENIED");
  reads.useService(service.baseUrl, "none");
  expect(await reads.leadsToPurchase(site())).toBe("INVALID_API_KEY");
});
