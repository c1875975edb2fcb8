import fc from "fast-check";
import {
  followedBy,
  MAX_STEPS,
  type StepMap,
  stepsAfter,
  thenInstant,
  unchanged,
} from "../../shared/domain/funnels/step-map";

const steps = fc.integer({ min: 2, max: MAX_STEPS });
const instants = fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 20 });
const mapOf = (k: number, some: readonly number[]): StepMap =>
  some.reduce((map, does) => thenInstant(map, does, k), unchanged(k));

describe("step maps", () => {
  it("compose as the time they stand for does, wherever it is cut", () => {
    fc.assert(
      fc.property(steps, instants, fc.nat(20), (k, some, cut) => {
        const [before, after] = [some.slice(0, cut), some.slice(cut)];
        expect(followedBy(mapOf(k, before), mapOf(k, after), k)).toBe(mapOf(k, some));
      }),
    );
  });

  it("compose associatively, and with the unchanged one to themselves", () => {
    fc.assert(
      fc.property(steps, instants, instants, instants, (k, ...some) => {
        const [a = 0, b = 0, c = 0] = some.map((one) => mapOf(k, one));
        expect(followedBy(followedBy(a, b, k), c, k)).toBe(followedBy(a, followedBy(b, c, k), k));
        expect(followedBy(a, unchanged(k), k)).toBe(a);
        expect(followedBy(unchanged(k), a, k)).toBe(a);
      }),
    );
  });

  it("never undo a step, and keep who is ahead ahead", () => {
    fc.assert(
      fc.property(steps, instants, (k, some) => {
        const map = mapOf(k, some);
        const after = Array.from({ length: k + 1 }, (_, before) => stepsAfter(map, before, k));
        expect(after).toEqual(after.toSorted((a, b) => a - b));
        expect(after.filter((done, before) => done < before)).toEqual([]);
        expect(after.at(-1)).toBe(k);
      }),
    );
  });

  it.each([
    [2, 5],
    [3, 14],
    [5, 132],
    [8, 4_862],
  ])("are as few as the Catalan numbers: of %i steps %i", (k, catalan) => {
    const found = new Set([unchanged(k)]);
    for (const map of found) {
      for (let does = 1; does < 2 ** k; does++) found.add(thenInstant(map, does, k));
    }
    expect(found.size).toBe(catalan);
  });
});
