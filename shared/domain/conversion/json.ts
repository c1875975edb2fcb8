/** What JSON can say. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** How deep a payload is read and kept (decisions: "at any depth to 10"); the payload itself is level 1. */
export const MAX_DEPTH = 10;

/** The first properties of `object` whose JSON fits into `bytes` of UTF-8. */
export function fitting(object: JsonObject, bytes: number): JsonObject {
  let used = 2;
  return Object.fromEntries(
    Object.entries(object).filter(([name, value]) => {
      const size = Buffer.byteLength(JSON.stringify(name)) + Buffer.byteLength(JSON.stringify(value)) + 2;
      if (used + size > bytes) return false;
      used += size;
      return true;
    }),
  );
}
