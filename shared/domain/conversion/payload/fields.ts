import { type JsonObject, type JsonValue, MAX_DEPTH } from "../json";
import type { FieldReader } from "../text";
import { findPlaces, type Holder, normalName, type Place } from "./places";

/** Takes fields out of a payload, one after the other; what was taken is no property any more. */
export interface Fields {
  /**
   * The first value that `read` can make sense of, at places of one of `names` (and `where` that holds): exact names
   * first, then those alike but for case, `_` and `-`; of these the shallowest, the first of `names`, the first in the
   * document. Empty values at any of the places are nothing to keep. Null when there is none.
   */
  take<Value>(
    names: readonly string[],
    read: FieldReader<Value>,
    where?: (place: Place) => boolean,
  ): Value | null;
  /** The places of `names`, in the order in which `take` goes through them. */
  at(names: readonly string[]): readonly Place[];
  /** What was not taken, each in its place; a container all of which was taken is gone with it. */
  rest(): JsonObject;
}

/** A payload to take fields named in `names` out of. */
export function openPayload(payload: JsonObject, names: readonly string[]): Fields {
  const places = findPlaces(payload, new Set(names.map(normalName)));
  const taken = new Map<Holder, Set<string | number>>();
  const remove = ({ holder, key }: Place): void => {
    taken.set(holder, (taken.get(holder) ?? new Set()).add(key));
  };
  const isLeft = ({ holder, key }: Place): boolean => !taken.get(holder)?.has(key);

  return {
    take(names, read, where = () => true) {
      let result: ReturnType<typeof read> = null;
      for (const place of candidates(names, places)) {
        if (!isLeft(place) || !where(place)) continue;
        if (isBlank(place.value)) remove(place);
        else if (result === null) {
          result = read(place.value);
          if (result !== null) remove(place);
        }
      }
      return result;
    },
    at: (names) => candidates(names, places),
    rest: () => (remainder(payload, 1, taken) ?? {}) as JsonObject,
  };
}

/** Sorting is stable, so that equal places stay in the order of the document. */
function candidates(names: readonly string[], places: ReadonlyMap<string, readonly Place[]>): Place[] {
  const ranked = names.flatMap((name, rank) =>
    (places.get(normalName(name)) ?? []).map((place) => ({
      place,
      rank,
      alike: place.name === name ? 0 : 1,
    })),
  );
  return ranked
    .sort((a, b) => a.alike - b.alike || a.place.depth - b.place.depth || a.rank - b.rank)
    .map(({ place }) => place);
}

const isBlank = (value: JsonValue): boolean =>
  value === null || (typeof value === "string" && value.trim() === "");

/**
 * A copy without what was taken, that is safe to store, to send on and to recurse into: containers below
 * {@link MAX_DEPTH} and numbers JSON cannot hold become null, strings become valid Unicode. Names such as `__proto__`
 * stay plain own properties. Undefined for a container all of which was taken.
 */
function remainder(
  value: JsonValue,
  depth: number,
  taken: ReadonlyMap<Holder, ReadonlySet<string | number>>,
): JsonValue | undefined {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return null;
  const holder: Holder = value;
  const gone = taken.get(holder);
  const left = (entry: JsonValue, key: string | number) =>
    gone?.has(key) ? undefined : remainder(entry, depth + 1, taken);
  if (Array.isArray(value)) {
    const entries = value.map(left).filter((entry) => entry !== undefined);
    return entries.length === 0 && value.length > 0 ? undefined : entries;
  }
  const all = Object.entries(value);
  const entries = all
    .map(([name, entry]) => [name.toWellFormed(), left(entry, name)] as const)
    .filter((pair): pair is readonly [string, JsonValue] => pair[1] !== undefined);
  return entries.length === 0 && all.length > 0 ? undefined : Object.fromEntries(entries);
}
