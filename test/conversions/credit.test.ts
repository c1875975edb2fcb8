import fc from "fast-check";
import { decideCredit } from "../../shared/domain/attribution/credit";
import { createEvent } from "../../shared/domain/conversion/event";
import { engagementOf, VISIT_REACH } from "../../shared/domain/conversion/facts";
import { readPayload } from "../../shared/domain/conversion/reading";
import { NOON } from "./support";

interface Visit {
  readonly at: number;
  readonly source: string;
  readonly channel: string;
}

const visits = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 100 }),
    source: fc.string(),
    channel: fc.constantFrom("Direct", "Paid Search", "Organic Search"),
  }),
  { maxLength: 30 },
);

async function* paged(all: readonly Visit[], size: number) {
  for (let i = 0; i < all.length; i += size) yield all.slice(i, i + size);
}

test("credit goes to the latest marketing visit up to the event, else to the latest visit; pages make no difference", () =>
  fc.assert(
    fc.asyncProperty(
      visits,
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 1, max: 7 }),
      async (all, at, size) => {
        const newestFirst = all.toSorted((a, b) => b.at - a.at);
        const before = newestFirst.filter((visit) => visit.at <= at);
        const latest = before[0];
        const credited = before.find(({ channel }) => channel !== "Direct") ?? latest;
        expect(await decideCredit(paged(newestFirst, size), at)).toEqual(
          latest ? { credited, latest } : null,
        );
      },
    ),
  ));

test("reading stops at the page that decides", async () => {
  let pages = 0;
  async function* endless() {
    for (;;) {
      pages++;
      yield [
        { at: 2, source: "(direct)", channel: "Direct" },
        { at: 1, source: "google", channel: "Paid Search" },
      ];
    }
  }
  expect((await decideCredit(endless(), 5))?.credited.source).toBe("google");
  expect(pages).toBe(1);
});

test("a flood of direct visits does not hold a conversion up without end", async () => {
  async function* flood() {
    for (;;) yield Array.from({ length: 100 }, () => ({ at: 1, source: "(direct)", channel: "Direct" }));
  }
  expect((await decideCredit(flood(), 5))?.credited.channel).toBe("Direct");
});

describe("the visit a conversion took place in is no bounce", () => {
  const event = (latest: number) =>
    createEvent("evt_1", {
      site: 1,
      kind: { type: "Lead", name: "Lead" },
      at: NOON,
      source: "webhook",
      link: null,
      via: "whin_1",
      reading: readPayload({}),
      match: {
        by: "visitor_id",
        evid: "e",
        visitor: 1,
        credited: { visit: "v0", at: 1, source: "google", channel: "Paid Search" },
        latest: { visit: "v1", at: latest },
      },
    });

  test("the latest visit, when it began within a day before", () => {
    expect(engagementOf(event(NOON - VISIT_REACH))).toEqual({
      kind: "engagement",
      at: NOON - VISIT_REACH,
      visit: "v1",
    });
  });

  test("an older one is left alone", () => {
    expect(engagementOf(event(NOON - VISIT_REACH - 1))).toBeNull();
  });
});
