import {
  byClickId,
  byEmail,
  byVisitorId,
  firstMatch,
  type Matcher,
  type MatchQuestion,
} from "../../shared/application/matching";
import type { Match, MatchedBy } from "../../shared/domain/conversion/event";
import type { KnownEmail } from "../../shared/domain/identity/known-email";
import { DAY, HOUR, MINUTE } from "../../shared/domain/instant";
import type { VisitRecord } from "../../shared/ports/visitors";
import { NOON, visit, visitorsOf } from "./support";

const question = (clues: Partial<Omit<MatchQuestion, "emails">> & { emails?: readonly KnownEmail[] }) => ({
  site: 1,
  at: NOON,
  visitorId: null,
  clickIds: [],
  ...clues,
  emails: Promise.resolve(clues.emails ?? []),
});

const email = (address: string, ...evids: string[]): KnownEmail => ({
  email: address,
  person: null,
  secondOf: null,
  visitors: evids.map((evid) => ({ evid, visit: "any", at: NOON - 9 * DAY })),
  waiting: [],
});

const byAd = (record: VisitRecord, gclid: string): VisitRecord => ({
  ...record,
  touch: { ...record.touch, clickIds: { gclid } },
});

const visitors = visitorsOf({
  "ann-12345": [
    byAd(visit("v1", NOON - 5 * HOUR, "google", "Paid Search"), "click-1"),
    visit("v2", NOON - 2 * HOUR, "news", "Email"),
    visit("v3", NOON - MINUTE, "(direct)", "Direct"),
  ],
  "ann-phone": [
    byAd(visit("w1", NOON - HOUR, "bing", "Paid Search"), "click-2"),
    byAd(visit("w2", NOON + HOUR, "bing", "Paid Search"), "click-later"),
  ],
});

describe("by visitor id", () => {
  const match = firstMatch([byVisitorId(visitors)]);

  test("finds the visitor's number, the credited visit and the latest", async () => {
    expect(await match(question({ visitorId: "ann-12345" }))).toEqual({
      by: "visitor_id",
      evid: "ann-12345",
      visitor: 1,
      credited: { visit: "v2", at: NOON - 2 * HOUR, source: "news", channel: "Email" },
      latest: { visit: "v3", at: NOON - MINUTE },
    });
  });

  test("visits after the event play no part; a visitor who has only those is no match", async () => {
    const creditedAt = async (at: number) =>
      (await match(question({ visitorId: "ann-12345", at })))?.credited.visit;
    expect(await creditedAt(NOON - 3 * HOUR)).toBe("v1");
    expect(await creditedAt(NOON - 6 * HOUR)).toBeUndefined();
  });

  test("a stranger, or no visitor id, is no match", async () => {
    expect(await match(question({ visitorId: "bob-12345" }))).toBeNull();
    expect(await match(question({}))).toBeNull();
  });
});

describe("by click id", () => {
  const match = firstMatch([byClickId(visitors)]);

  test("credits the visit that carried it, though later ones came by other ads", async () => {
    expect(await match(question({ clickIds: ["click-1"] }))).toEqual({
      by: "click_id",
      evid: "ann-12345",
      visitor: 1,
      credited: { visit: "v1", at: NOON - 5 * HOUR, source: "google", channel: "Paid Search" },
      latest: { visit: "v3", at: NOON - MINUTE },
    });
  });

  test("of several the first that leads to a real visit holds", async () => {
    const of = async (...clickIds: string[]) => (await match(question({ clickIds })))?.credited.visit;
    expect(await of("unknown", "click-2", "click-1")).toBe("w1");
    expect(await of("click-later", "click-1")).toBe("v1"); // It came after the event.
    expect(await of("CLICK-1")).toBeUndefined();
  });

  test("one whose visit or visitor is not there is no match", async () => {
    const pointer = async () => ({ evid: "ann-12345", visit: "gone", at: NOON - HOUR });
    const dangling = firstMatch([byClickId({ ...visitors, findClick: pointer })]);
    expect(await dangling(question({ clickIds: ["click-1"] }))).toBeNull();
    const nobody = firstMatch([byClickId({ ...visitors, findVisitor: async () => null })]);
    expect(await nobody(question({ clickIds: ["click-1"] }))).toBeNull();
  });
});

describe("by e-mail", () => {
  const match = firstMatch([byEmail(visitors)]);

  test("of the visitors it was attached to, the one who was there last before the event", async () => {
    const emails = [email("a@b.example", "ann-phone", "nobody-123", "ann-12345")];
    expect(await match(question({ emails }))).toMatchObject({
      by: "email",
      evid: "ann-12345",
      credited: { visit: "v2" },
      latest: { visit: "v3" },
    });
    const before = await match(question({ emails, at: NOON - 30 * MINUTE }));
    expect(before).toMatchObject({ evid: "ann-phone", credited: { visit: "w1" } });
  });

  test("of several e-mails the first that leads to a real visit, however late the others'", async () => {
    const emails = [email("none@b.example", "nobody-123"), email("a@b.example", "ann-phone")];
    const all = [...emails, email("c@b.example", "ann-12345")];
    expect(await match(question({ emails: all }))).toMatchObject({ evid: "ann-phone" });
    expect(await match(question({ emails: [email("none@b.example")] }))).toBeNull();
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

  test("all that was sent is tried, strongest first, each that leads nowhere passed over", async () => {
    const match = firstMatch([byVisitorId(visitors), byClickId(visitors), byEmail(visitors)]);
    const emails = [email("a@b.example", "ann-phone")];
    const all = { visitorId: "ann-12345", clickIds: ["click-2"], emails };
    const by = async (clues: Parameters<typeof question>[0]) => (await match(question(clues)))?.by;
    expect(await by(all)).toBe("visitor_id");
    expect(await by({ ...all, visitorId: "stranger-1" })).toBe("click_id");
    expect(await by({ ...all, visitorId: "stranger-1", clickIds: ["unknown"] })).toBe("email");
    expect(await by({ visitorId: "stranger-1", clickIds: ["unknown"], emails: [] })).toBeUndefined();
  });

  test("a weaker one goes no further once a stronger has found its visit", async () => {
    const tempted = jest.fn(async () => null);
    const found = await firstMatch([finding("visitor_id"), async () => tempted])(question({}));
    expect(found?.by).toBe("visitor_id");
    expect(tempted).not.toHaveBeenCalled();
  });

  test("nothing found is no match", async () => {
    expect(await firstMatch([nothing, nothing])(question({}))).toBeNull();
  });
});
