import fc from "fast-check";
import type { ConversionFact, Fact, TrafficFact } from "../../shared/domain/analytics/fact";
import { withFunnel } from "../../shared/domain/funnels/saved-funnels";
import { HOUR } from "../../shared/domain/instant";
import { percent } from "../../shared/domain/read-api/rows";
import { changeFunnels } from "../../shared/storage/funnels/funnels";
import { transact } from "../../shared/storage/transact";
import { analyticsOver } from "../support/analytics";
import { type Engine, startEngine } from "../support/engine";
import { expectAgreement } from "./agreement";
import { askAll } from "./ask-all";
import { type Question, ratio, referenceBodies } from "./reference";
import { addDays, firstInstantOf, shownDate } from "./reference-days";
import { type HardDay, type Story, savedFunnels, stories } from "./reference-site";

let engine: Engine;
let sites = 0;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const HARD_DAYS: [timezone: string, date: string, what: string][] = [
  ["UTC", "2024-02-29", "a leap day"],
  ["Asia/Kolkata", "2026-11-01", "half an hour off"],
  ["Asia/Kathmandu", "2026-11-01", "a quarter of an hour off"],
  ["Australia/Eucla", "2026-01-01", "a quarter of an hour off, to the other side"],
  ["Australia/Lord_Howe", "2026-10-04", "half an hour shorter"],
  ["Australia/Lord_Howe", "2026-04-05", "half an hour longer"],
  ["America/St_Johns", "2026-03-08", "an hour shorter, half an hour off"],
  ["America/St_Johns", "2010-11-07", "two midnights, and a minute of it before the day before is over"],
  ["Pacific/Chatham", "2026-09-27", "an hour shorter, a quarter of an hour off"],
  ["Pacific/Chatham", "2026-04-05", "an hour longer, a quarter of an hour off"],
  ["Europe/Berlin", "2026-03-29", "23 hours"],
  ["Europe/Berlin", "2026-10-25", "25 hours"],
  ["America/Havana", "2026-03-08", "no midnight"],
  ["America/Havana", "2026-11-01", "two midnights"],
  ["Africa/Cairo", "2026-04-24", "no midnight"],
  ["Africa/Cairo", "2026-10-29", "its last hour twice"],
  ["America/Sao_Paulo", "2018-11-04", "no midnight"],
  ["America/Sao_Paulo", "2019-02-16", "its last hour twice"],
  ["Pacific/Apia", "2011-12-30", "no such day"],
  ["Antarctica/Troll", "2026-03-29", "22 hours"],
  ["Antarctica/Troll", "2026-10-25", "26 hours"],
];

/** A question as it is put, and with its dates worked out. */
interface Asked {
  readonly query: Record<string, string>;
  readonly question: Question;
}

/** Ranges of a few days and of months around the hard day, and named periods. */
const questions = ({ timezone, date }: HardDay, now: number): fc.Arbitrary<Asked> => {
  const range = (from: string, to: string, query: Record<string, string> = { from, to }): Asked => ({
    query: { timezone, ...query },
    question: { timezone, from, to },
  });
  const lastDays = (days: number, period: string): Asked => {
    const today = dateOf(timezone, now);
    return range(addDays(today, 1 - days), today, { period });
  };
  const days = (min: number, max: number) => fc.integer({ min, max });
  const asked = fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(days(-2, 1), days(0, 3))
        .map(([first, more]) => range(addDays(date, first), addDays(date, first + more))),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(days(-60, -1), days(1, 60))
        .map(([first, last]) => range(addDays(date, first), addDays(date, last))),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(lastDays(1, "today"), lastDays(7, "last_7d"), lastDays(30, "last_30d")),
    },
  );
  return fc
    .tuple(asked, fc.option(fc.constantFrom(1, 2, 100), { nil: undefined }))
    .map(([{ query, question }, limit]) =>
      limit === undefined
        ? { query, question }
        : { query: { ...query, limit: String(limit) }, question: { ...question, limit } },
    );
};

/** The day that holds `at`: a date that the calendar has left again for the one before holds what follows all the same. */
function dateOf(timezone: string, at: number): string {
  const shown = shownDate(timezone, at);
  const next = addDays(shown, 1);
  return firstInstantOf(timezone, next) <= at ? next : shown;
}

const coreAt = (now: number) => analyticsOver(engine, engine.dynamo, () => now);

/** Facts as the product writes them: traffic in blocks, each event in a transaction. */
async function record(site: number, facts: readonly Fact[], now: number): Promise<void> {
  const { log } = coreAt(now);
  await log.append(
    site,
    facts.filter((fact): fact is TrafficFact => fact.kind !== "conversion"),
  );
  for (const fact of facts.filter((fact): fact is ConversionFact => fact.kind === "conversion"))
    await transact(engine.dynamo, await log.conversionWrites(site, [fact]));
}

const tables = () => ({
  dynamo: engine.dynamo,
  tables: { config: engine.tables.Config, facts: engine.tables.Facts },
});

type Saved = (typeof savedFunnels extends fc.Arbitrary<infer Some> ? Some : never)[number];

/** Saves funnels at `now`, and builds those that are to be built. */
async function save(site: number, some: readonly Saved[], now: number): Promise<void> {
  for (const { funnel, isBuilt } of some) {
    const { facets } = await changeFunnels(
      tables(),
      site,
      (before) => withFunnel(before, { name: funnel.name, steps: funnel.steps }, now),
      now,
    );
    for (const facet of isBuilt ? facets : [])
      await coreAt(now).builder.build({ site, facet }, Number.POSITIVE_INFINITY);
  }
}

/** The site as the story has it, on the engine; the funnels in the order of their ids. */
async function play({ early, late, half, end }: Story, funnels: readonly Saved[], isSealed: boolean) {
  const site = ++sites;
  const [first, second] = [funnels.filter(({ isLate }) => !isLate), funnels.filter(({ isLate }) => isLate)];
  await save(site, first, half);
  await record(site, early, half);
  await coreAt(half + HOUR).sealAll(site);
  await save(site, second, half + HOUR);
  await record(site, late, end);
  if (isSealed) await coreAt(end + HOUR).sealAll(site);
  return {
    site,
    funnels: [...first, ...second].map(({ funnel }, i) => ({ ...funnel, id: i + 1 })),
  };
}

describe("all seven whole answers are what counting raw facts says, whatever came early or late, was sealed or built", () => {
  test.each(HARD_DAYS)(
    "in %s around %s: %s",
    async (timezone, date) => {
      const day = { timezone, date };
      const told = stories(day).chain((story) =>
        fc.record({
          story: fc.constant(story),
          asked: fc.array(questions(day, story.end + HOUR), { minLength: 3, maxLength: 3 }),
          saved: savedFunnels,
          isSealed: fc.boolean(),
        }),
      );
      await fc.assert(
        fc.asyncProperty(told, async ({ story, asked, saved, isSealed }) => {
          const { site, funnels } = await play(story, saved, isSealed);
          const known = { facts: [...story.early, ...story.late], funnels };
          const now = story.end + HOUR;
          const ask = askAll(coreAt(now), now);
          for (const { query, question } of asked) {
            const bodies = await ask(site, query);
            expect(bodies).toEqual(referenceBodies(known, question));
            expectAgreement(bodies);
          }
        }),
        { numRuns: 2, endOnFailure: true }, // to shrink takes minutes: allow it when it is wanted
      );
    },
    60_000,
  );
});

test("percentages are rounded half up exactly, also where binary fractions fall short", () => {
  const count = fc.integer({ min: 0, max: 100_000 });
  const halfway = fc.tuple(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 1, max: 50 }));
  const cases = fc.oneof(
    fc.tuple(count, count),
    halfway.map(([k, n]) => [(2 * k + 1) * n, 20_000 * n] as const),
  );
  fc.assert(
    fc.property(cases, ([part, whole]) => expect(percent(part, whole)).toBe(ratio(part * 100, whole))),
  );
  expect(percent(57, 800)).toBe(7.13);
});
