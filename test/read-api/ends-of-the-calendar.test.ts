import { FACETS } from "../../shared/domain/analytics/facets";
import { readRange } from "../../shared/domain/read-api/range";
import { analyticsOver } from "../support/analytics";
import { type Engine, startEngine } from "../support/engine";
import { NOW } from "./support";

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

test.each([
  "from=0000-01-01&to=0000-12-31&timezone=Asia/Tokyo",
  "from=0050-01-01&to=0050-12-31",
  "from=0099-06-01&to=0100-05-31&timezone=America/New_York",
  "from=1844-06-01&to=1845-05-31&timezone=Asia/Manila",
  "from=1970-01-01&to=1970-01-01&timezone=Africa/Monrovia",
  "from=2011-12-30&to=2011-12-30&timezone=Pacific/Apia",
  "from=9999-01-01&to=9999-12-31",
  "from=9999-12-31&to=9999-12-31&timezone=America/New_York",
  "from=9999-12-31&to=9999-12-31&timezone=Pacific/Kiritimati",
])("%s is a range that can be read, and is empty", async (query) => {
  const { start, end } = readRange(new URLSearchParams(query), NOW);
  const { reader } = analyticsOver(engine, engine.dynamo, () => NOW);
  const [facet] = FACETS;
  if (!facet) throw new Error("no facet");
  const read = (interval: { start: number; end: number }) => reader.read({ site: 1, facet, interval });
  const nothing = await read({ start: NOW, end: NOW });
  expect(await read({ start, end })).toEqual(nothing);
});
