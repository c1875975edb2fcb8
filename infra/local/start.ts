// `npm start`, `npm run local`: the whole service on this machine, from what would be deployed.
import { buildService } from "./build";
import { seedService } from "./demo-file";
import { LocalFailure, messageOf } from "./failure";
import type { LocalPages } from "./gateway/gateway";
import { untilLauncherIsGone } from "./launcher";
import type { Demo } from "./seed";
import { type LocalService, startLocal } from "./service";
import { readSettings } from "./settings";
import { shopPages } from "./shop/shop";

/** Functions run in UTC on AWS, whatever this machine's zone is. */
process.env.TZ = "UTC";

const say = (line: string): void => console.error(line);

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const ended = Promise.race([untilAskedToEnd(), untilLauncherIsGone()]);
  await buildService();
  const { passedOn, ...options } = settings;
  const pages: LocalPages = {};
  const service = await startLocal({ ...options, pages, settings: passedOn, report: say });
  try {
    const seeding = seedService(service, { ...settings, progress });
    seeding.catch(() => {}); // cut short by Ctrl-C; the next run goes on where it was
    const demo = await Promise.race([seeding, ended]);
    if (!demo) return;
    const [site] = demo.sites;
    const purchases = demo.receiving_webhooks.find((hook) => hook.event_type === "Purchase");
    if (site && purchases) {
      Object.assign(pages, shopPages({ siteId: site.site_id, purchaseUrl: purchases.url }));
    }
    console.log(greeting(service, demo, settings.dataDir));
    await ended;
  } finally {
    await service.close();
  }
}

/** Settles at the first Ctrl-C or SIGTERM; the second ends the process at once. */
function untilAskedToEnd(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => {
        resolve();
        process.once(signal, () => process.exit(130));
      });
    }
  });
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

main().then(
  () => process.exit(),
  (error: unknown) => {
    say(error instanceof LocalFailure ? error.message : ((error as Error).stack ?? messageOf(error)));
    process.exit(1);
  },
);
