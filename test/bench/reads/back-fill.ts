import assert from "node:assert/strict";
import { cpSync, existsSync, rmSync } from "node:fs";
import { withFunnel } from "../../../shared/domain/funnels/saved-funnels";
import { funnels as endpoint } from "../../../shared/lambda/read-api/endpoints/funnels";
import { changeFunnels } from "../../../shared/storage/funnels/funnels";
import { analyticsOver } from "../../support/analytics";
import { type Engine, startEngine } from "../../support/engine";
import { metered } from "../measure";
import { FUNNELS } from "../site/catalogue";
import type { LoadedSite } from "../site/load";
import { type Caller, callerOf, figuresOf } from "./caller";
import { RANGES } from "./reads";

/** What happens to a site of many facts when one more funnel is saved. */
export interface BackFillStep {
  readonly step: string;
  readonly ms: number;
  readonly "read units": number;
  readonly "write units": number;
  readonly outcome: string;
}

/**
 * Saves once more the last of the site's funnels, which has most steps, in a copy of the site: asks for the funnels while
 * its cubes are missing, builds them, asks again. Throws when the new one's figures are not those of its original.
 */
export async function measureBackFill(loaded: Omit<LoadedSite, "engine">): Promise<BackFillStep[]> {
  const copy = `${loaded.file}.back-fill`;
  const files = ["", "-wal", "-shm"].map((suffix) => ({ from: loaded.file + suffix, to: copy + suffix }));
  for (const { from, to } of files) if (existsSync(from)) cpSync(from, to);
  try {
    const engine = await startEngine({ file: copy });
    try {
      return await measure({ ...loaded, engine });
    } finally {
      await engine.close();
    }
  } finally {
    for (const { to } of files) rmSync(to, { force: true });
  }
}

async function measure(loaded: LoadedSite): Promise<BackFillStep[]> {
  const { engine, site, shape } = loaded;
  const meter = metered(engine.dynamo);
  const caller = callerOf(loaded, meter.dynamo);
  const steps: BackFillStep[] = [];

  async function note(step: string, work: () => Promise<string>): Promise<void> {
    meter.reset();
    const began = performance.now();
    const outcome = await work();
    const ms = performance.now() - began;
    const { readUnits, writeUnits } = meter.consumption();
    steps.push({ step, ms, "read units": readUnits, "write units": writeUnits, outcome });
  }

  await ask(caller, 1); // So that what is measured is not this process's first request.
  const facet = await saveFunnel(engine, site, shape.until);
  for (const days of RANGES) await note(`answer from facts, ${days} d`, () => ask(caller, days));
  const { builder } = analyticsOver(engine, meter.dynamo, () => shape.until);
  await note("build", async () => {
    const isDone = await builder.build({ site, facet }, Number.POSITIVE_INFINITY);
    return isDone ? "done" : "not done";
  });
  for (const days of RANGES) await note(`answer from cubes, ${days} d`, () => ask(caller, days));
  return steps;
}

async function saveFunnel({ dynamo, tables }: Engine, site: number, now: number): Promise<string> {
  const [draft] = FUNNELS.slice(-1);
  assert(draft);
  const where = { dynamo, tables: { config: tables.Config, facts: tables.Facts } };
  const { facets } = await changeFunnels(where, site, (saved) => withFunnel(saved, draft, now), now);
  assert(facets[0]);
  return facets[0];
}

async function ask(caller: Caller, days: number): Promise<string> {
  const answer = await caller.request({ endpoint, days }, "afresh");
  if (answer.status !== 200) return String(answer.status);
  const found = figuresOf(answer).funnels as { id: number; steps: unknown }[];
  const [original, again] = [found[FUNNELS.length - 1], found[FUNNELS.length]];
  if (!again) return "200";
  assert.deepEqual(again.steps, original?.steps, "a funnel answers otherwise while its cubes are built");
  return "200, equal";
}
