import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { createDynamo } from "../../shared/storage/dynamo";
import type { TableId } from "../../shared/storage/tables";
import { STORY_DAYS, tellStory } from "./demo/story";
import { createStage } from "./demo/tell";
import { engineClientConfig } from "./engine/engine";
import { LocalFailure } from "./failure";
import { type Demo, moved, seed } from "./seed";
import type { LocalService } from "./service";

interface Options {
  readonly dataDir: string;
  readonly demo: boolean;
  /** Called with the share done, 0 to 1, of what takes a while. */
  readonly progress: (what: string, share: number) => void;
  /** Looked at between two days of the demo's story. */
  readonly signal?: AbortSignal;
}

/** How far the demo's story was told, so that a run cut short goes on where it was; it is told as of `until`. */
const toldFile = z.object({ until: z.number(), days: z.number() });

/** The parts of a {@link Demo} that are looked at. */
const demoFile = z.looseObject({
  base_url: z.string(),
  sites: z.array(z.looseObject({ site_id: z.number(), snippet: z.string() })),
  receiving_webhooks: z.array(z.looseObject({ id: z.string(), event_type: z.string(), url: z.string() })),
});

/**
 * Makes what a new data directory lacks, writes `<dataDir>/demo.json`, and says what there is. Aborted, it ends its work in
 * good order and soon; the next run goes on where it was.
 */
export async function seedService(
  service: Pick<LocalService, "baseUrl" | "dynamoUrl" | "tables" | "secrets">,
  { dataDir, demo, ...telling }: Options,
): Promise<Demo> {
  const { baseUrl, secrets } = service;
  const tables = service.tables as Record<TableId, string>;
  const file = join(dataDir, "demo.json");
  const dynamo = createDynamo(engineClientConfig(service.dynamoUrl));
  try {
    const previous = readJson(file, demoFile) as Demo | undefined;
    const made = previous ? moved(previous, baseUrl) : await seed({ baseUrl, dynamo, tables, secrets, demo });
    writeJson(file, made);
    const site = made.sites[0]?.site_id;
    if (site !== undefined) {
      const webhooks = Object.fromEntries(made.receiving_webhooks.map((hook) => [hook.event_type, hook.id]));
      const { Lead = "", Purchase = "" } = webhooks;
      const stage = createStage({ dynamo, tables, site, webhooks: { Lead, Purchase } });
      await tell(join(dataDir, "story.json"), stage, telling);
    }
    return made;
  } finally {
    dynamo.destroy();
  }
}

async function tell(
  file: string,
  stage: ReturnType<typeof createStage>,
  { progress, signal }: Pick<Options, "progress" | "signal">,
): Promise<void> {
  const told = readJson(file, toldFile) ?? { until: Date.now(), days: 0 };
  if (told.days === STORY_DAYS) return;
  writeJson(file, told); // before anything is told: a run cut short goes on as of the same instant
  const { days } = tellStory(told.until);
  for (let day = told.days; day < days.length; day++) {
    if (signal?.aborted) return;
    const next = days[day];
    if (next) await stage.play(next);
    writeJson(file, { ...told, days: day + 1 });
    progress("Demo data", (day + 1) / days.length);
  }
}

function readJson<Schema extends z.ZodType>(file: string, schema: Schema): z.output<Schema> | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return schema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    throw new LocalFailure(
      `${file} is not as it was written. Mend it, or delete the data directory to start anew.`,
    );
  }
}

/** Whole or not at all; readable by the owner alone, because it holds secrets. */
function writeJson(file: string, value: unknown): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
