import type { StoryDay, StoryVisit } from "../../infra/local/demo/story";
import { createStage } from "../../infra/local/demo/tell";
import { seed } from "../../infra/local/seed";
import { createVerifier } from "../../shared/application/verifier";
import { bucketId } from "../../shared/domain/analytics/bucket";
import { traffic } from "../../shared/domain/analytics/facets/traffic";
import { DAY, HOUR, MINUTE, SECOND } from "../../shared/domain/instant";
import { overviewBody } from "../../shared/domain/read-api/overview";
import { analyticsOver } from "../support/analytics";
import { type Engine, startEngine } from "../support/engine";
import { memorySecretBox } from "../support/secret-box";

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const MONDAY = Date.UTC(2025, 5, 2);
const TUESDAY = MONDAY + DAY;

/** A visit with a page view at each of the instants. */
const visit = (id: string, ...views: readonly number[]): StoryVisit => ({
  evid: `visitor-of-${id}`,
  id,
  at: views[0] ?? 0,
  country: "DE",
  landingUrl: "http://localhost/shop",
  referrer: null,
  views: views.map((at, index) => ({ id: `${id}-${index}`, path: "/shop", at, visibleMs: SECOND })),
});

const day = (start: number, ...visits: readonly StoryVisit[]): StoryDay => ({
  start,
  visits,
  conversions: [],
});

async function openStage() {
  const { sites, receiving_webhooks } = await seed({
    baseUrl: "http://localhost",
    ...engine,
    secrets: memorySecretBox(),
    demo: true,
  });
  const [Purchase = "", Lead = ""] = receiving_webhooks.map(({ id }) => id);
  const site = sites[0]?.site_id ?? 0;
  return { site, stage: createStage({ ...engine, site, webhooks: { Purchase, Lead } }) };
}

test("a quarter that a visit reached past midnight takes the next day's facts too", async () => {
  const { site, stage } = await openStage();
  await stage.play(day(MONDAY, visit("late", TUESDAY - 5 * MINUTE, TUESDAY + MINUTE)));
  await stage.play(day(TUESDAY, visit("early", TUESDAY + 5 * MINUTE), visit("noon", TUESDAY + 12 * HOUR)));

  const { reader, ...stores } = analyticsOver(engine, engine.dynamo, Date.now);
  const { differences } = await createVerifier(stores).verify(site);
  expect(differences.map(({ facet, bucket }) => `${facet} ${bucketId(bucket)}`)).toEqual([]);
  const interval = { start: MONDAY, end: TUESDAY + DAY };
  const { totals } = overviewBody(await reader.read({ site, facet: traffic, interval }));
  expect(totals).toMatchObject({ sessions: 3, unique_visitors: 3, pageviews: 4 });
});
