import fc from "fast-check";
import { DAY, HOUR, MINUTE } from "../../shared/domain/instant";
import { isTooOld, serverTime } from "../../shared/domain/tracking/server-time";
import { NOW } from "./builders";

test("a clock that is about right is believed to the millisecond, so that a hit sent again folds away", () => {
  expect(serverTime(NOW - 4 * MINUTE, NOW)(NOW - HOUR)).toBe(NOW - HOUR);
  expect(serverTime(NOW + 1_500, NOW)(NOW)).toBe(NOW);
});

test("a wrong clock is put right by whole minutes", () => {
  expect(serverTime(NOW - 3 * HOUR - 20_000, NOW)(NOW - 3 * HOUR - 50_000)).toBe(NOW - 50_000);
  expect(serverTime(NOW + 90_000, NOW)(NOW + 90_000)).toBe(NOW - 30_000);
});

test("nothing is put more than 2 s after its receipt, nor moved past the event by more than a minute", () => {
  fc.assert(
    fc.property(fc.integer({ min: -400 * DAY, max: 400 * DAY }), fc.nat(HOUR), (error, age) => {
      const sent = NOW + error;
      const at = serverTime(sent, NOW)(sent - age);
      expect(at).toBeLessThanOrEqual(NOW + 2_000 - age);
      if (error > 2_000 || error < -5 * MINUTE) expect(at).toBeGreaterThan(NOW - age - MINUTE);
    }),
  );
});

test("two requests of one visit agree on its start unless the error itself changes by a minute's edge", () => {
  const start = NOW + 37 * MINUTE;
  const seen = [0, 40, 180, 950, 4_000].map((delay) =>
    serverTime(start + 20_000, NOW + 10_000 + delay)(start),
  );
  expect(new Set(seen).size).toBe(1);
});

test("what is older than a day is too old", () => {
  expect(isTooOld(NOW - DAY - 1, NOW)).toBe(true);
  expect(isTooOld(NOW - DAY, NOW)).toBe(false);
});
