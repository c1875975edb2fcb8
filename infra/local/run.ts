import { setTimeout } from "node:timers/promises";
import { untilAskedToEnd } from "./asked-to-end";
import { seedService } from "./demo-file";
import { LocalFailure } from "./failure";
import type { LocalPages } from "./gateway/gateway";
import { untilLauncherIsGone } from "./launcher";
import type { Demo } from "./seed";
import { type LocalService, startLocal } from "./service";
import type { LocalSettings } from "./settings";
import { shopPages } from "./shop/shop";

const say = (line: string): void => console.error(line);

/** Settles when the run is asked to end or its `npm` is gone. To be called first of all, or neither is noticed in time. */
export const untilEnd = (): Promise<void> =>
  Promise.race([untilAskedToEnd(process, Date.now), untilLauncherIsGone()]);

/** How long after the failure of a piece of work the end may be heard of that made it fail. */
const HEARD_MS = 100;

/**
 * Whether the work was done before the end; if not, it is left alone. The terminal's Ctrl-C ends the processes that build
 * as well: what fails of that has not failed.
 */
export async function doneBefore(ended: Promise<void>, work: Promise<void>): Promise<boolean> {
  const over = ended.then(() => false);
  const done = work.then(
    () => true,
    (error: unknown) => Promise.race([over, setTimeout(HEARD_MS).then(() => Promise.reject(error))]),
  );
  return Promise.race([over, done]);
}

/**
 * Runs what is built, with its demo and shop, until `ended`. Says on standard output when and where it runs.
 * @throws LocalFailure when it cannot start, or not go on
 */
export async function runLocal(
  { passedOn, ...settings }: LocalSettings,
  ended: Promise<void>,
): Promise<void> {
  const pages: LocalPages = {};
  const seeded = Promise.withResolvers<void>();
  const schedulesAfter = seeded.promise; // a sweeper must not seal what the demo is writing
  const ending = new AbortController();
  void ended.then(() => ending.abort());
  const service = await startLocal({ ...settings, pages, settings: passedOn, report: say, schedulesAfter });
  const present = async (): Promise<void> => {
    const demo = await seedService(service, { ...settings, progress, signal: ending.signal });
    if (ending.signal.aborted) return;
    seeded.resolve();
    Object.assign(pages, shopOf(demo));
    console.log(greeting(service, demo, settings.dataDir));
    await ended;
  };
  try {
    await Promise.race([present(), service.dynamoEnded.then(lost)]);
  } finally {
    await service.close();
  }
}

function lost(): never {
  throw new LocalFailure("The database has ended by itself. Start again: what was answered for is kept.");
}

function shopOf({ sites: [site], receiving_webhooks }: Demo): LocalPages {
  const purchases = receiving_webhooks.find((hook) => hook.event_type === "Purchase");
  return site && purchases ? shopPages({ siteId: site.site_id, purchaseUrl: purchases.url }) : {};
}

function progress(what: string, share: number): void {
  if (!process.stderr.isTTY) return;
  const filled = Math.round(share * 30);
  process.stderr.write(
    `\r${what} [${"=".repeat(filled)}${" ".repeat(30 - filled)}] ${Math.round(share * 100)} %`,
  );
  if (share >= 1) process.stderr.write("\n");
}

function greeting(service: LocalService, demo: Demo, dataDir: string): string {
  const rows: [string, string | undefined][] = [
    ["Service", service.baseUrl],
    ["Shop", demo.sites[0] && `${service.baseUrl}/shop   (carries the snippet; its ads are links)`],
    ["Log in as", `${demo.dashboard.email} / ${demo.dashboard.password}`],
    ["API key", demo.api_key],
    ...demo.sites.map((site): [string, string] => [
      `Site ${site.site_id}`,
      `${site.domain}   ${site.snippet}`,
    ]),
    ...demo.receiving_webhooks.map((hook): [string, string] => [`Webhook ${hook.event_type}`, hook.url]),
    ["Form webhook", demo.form_integration?.url],
    ["Data, logs", `${dataDir}   (all of this in demo.json)`],
    ["Try", tryIt(service, demo)],
  ];
  const lines = rows.flatMap(([label, value]) =>
    value === undefined ? [] : [`  ${label.padEnd(20)}${value}`],
  );
  return ["", "The service runs. Ctrl-C ends it.", "", ...lines, ""].join("\n");
}

const tryIt = ({ baseUrl }: LocalService, { api_key, sites: [site] }: Demo): string | undefined =>
  site && `curl -H "Authorization: Bearer ${api_key}" "${baseUrl}/v1/overview?site_id=${site.site_id}"`;
