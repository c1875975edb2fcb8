import { byVisitorId, firstMatch, type Matcher } from "../../shared/application/matching";
import type { Match, MatchedBy } from "../../shared/domain/conversion/event";
import { readPayload } from "../../shared/domain/conversion/reading";
import { HOUR, MINUTE } from "../../shared/domain/instant";
import { NOON, visit, visitorsOf } from "./support";

const question = (payload: Record<string, string>, at = NOON) => ({
  site: 1,
  at,
  reading: readPayload(payload),
});

const visitors = visitorsOf({
  "ann-12345": [
    visit("v1", NOON - 5 * HOUR, "google", "Paid Search"),
    visit("v2", NOON - 2 * HOUR, "news", "Email"),
    visit("v3", NOON - MINUTE, "(direct)", "Direct"),
  ],
});

describe("by visitor id", () => {
  const match = byVisitorId(visitors);

  test("finds the visitor's number, the credited visit and the latest", async () => {
    expect(await match(question({ evid: "ann-12345" }))).toEqual({
      by: "visitor_id",
      evid: "ann-12345",
      visitor: 1,
      credited: { visit: "v2", at: NOON - 2 * HOUR, source: "news", channel: "Email" },
      latest: { visit: "v3", at: NOON - MINUTE },
    });
  });

  test("visits after the event play no part; a visitor who has only those is no match", async () => {
    expect((await match(question({ evid: "ann-12345" }, NOON - 3 * HOUR)))?.credited.visit).toBe("v1");
    expect(await match(question({ evid: "ann-12345" }, NOON - 6 * HOUR))).toBeNull();
  });

  test("a stranger, or no visitor id, is no match", async () => {
    expect(await match(question({ evid: "bob-12345" }))).toBeNull();
    expect(await match(question({ email: "a@b.example" }))).toBeNull();
  });
});

describe("several matchers", () => {
  const finding =
    (by: MatchedBy): Matcher =>
    async () =>
      ({ by }) as Match;
  const nothing: Matcher = async () => null;

  test("the first in order that finds something holds, however the answers arrive", async () => {
    const late: Matcher = (q) =>
      new Promise((resolve) => setImmediate(() => resolve(finding("click_id")(q))));
    const found = await firstMatch([nothing, late, finding("email")])(question({}));
    expect(found?.by).toBe("click_id");
  });

  test("nothing found is no match", async () => {
    expect(await firstMatch([nothing, nothing])(question({}))).toBeNull();
  });
});
