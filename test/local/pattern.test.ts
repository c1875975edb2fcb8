import { eventPattern } from "../../infra/local/aws/pattern";

test.each([
  [{ source: ["shop"] }, { source: "shop" }, true],
  [{ source: ["shop", "till"] }, { source: "till" }, true],
  [{ source: ["shop"] }, { source: "other" }, false],
  [{ source: ["shop"] }, {}, false],
  [{ a: { b: ["x"] } }, { a: { b: "x", c: 1 } }, true],
  [{ a: { b: ["x"] } }, { a: "x" }, false],
  [{ a: ["x"], b: ["y"] }, { a: "x", b: "z" }, false],
  [{ tags: ["x"] }, { tags: ["w", "x"] }, true],
  [{ a: [{ prefix: "con" }] }, { a: "conversion" }, true],
  [{ a: [{ suffix: ".ed" }] }, { a: "record.ed" }, true],
  [{ a: [{ "equals-ignore-case": "ABC" }] }, { a: "abc" }, true],
  [{ a: [{ "anything-but": ["x", "y"] }] }, { a: "z" }, true],
  [{ a: [{ "anything-but": ["x", "y"] }] }, { a: "y" }, false],
  [{ a: [{ "anything-but": { prefix: "x" } }] }, { a: "xy" }, false],
  [{ a: [{ exists: true }] }, { a: null }, true],
  [{ a: [{ exists: false }] }, {}, true],
  [{ a: [{ numeric: [">", 1, "<=", 5] }] }, { a: 5 }, true],
  [{ a: [{ numeric: [">", 1, "<=", 5] }] }, { a: 6 }, false],
  [{ a: [{ numeric: ["=", 1] }] }, { a: "1" }, false],
  [{ a: [null] }, { a: null }, true],
])("%j on %j: %s", (pattern, event, expected) => expect(eventPattern(pattern)(event)).toBe(expected));

test("a filter that is not known is said, not ignored", () => {
  expect(() => eventPattern({ a: [{ cidr: "10.0.0.0/8" }] })).toThrow(/"cidr"/);
});
