import { isObject, type JsonObject, type JsonValue, MAX_DEPTH } from "../json";

/** What holds other values, and so the place of each. */
export type Holder = JsonObject | readonly JsonValue[];

/** A value of a payload, where it stands, and what it is called there. */
export interface Place {
  readonly name: string;
  readonly value: JsonValue;
  readonly holder: Holder;
  /** Its name or index in the holder. */
  readonly key: string | number;
  /** 1 for the payload's own fields. */
  readonly depth: number;
  /** What the holder is called; empty for the payload itself. */
  readonly within: string;
}

/** A holder still to be looked through. */
interface Ahead {
  readonly holder: Holder;
  readonly name: string;
  readonly depth: number;
  /** Whether it is an entry of a list. */
  readonly listed: boolean;
}

/** Names that differ only in case, `_` and `-` have this in common (decisions: "Where fields are found"). */
export const normalName = (name: string): string => name.toLowerCase().replace(/[_-]/g, "");

/** Longer names are nobody's field. */
const MAX_NAME = 64;

/**
 * The places of a payload whose normal name is in `names`, by that name: down to {@link MAX_DEPTH} levels, the
 * shallowest first, and within a level in the order of the document. Entries of a list are called like the list.
 */
export function findPlaces(payload: JsonObject, names: ReadonlySet<string>): Map<string, readonly Place[]> {
  const found = new Map<string, Place[]>([...names].map((name) => [name, []]));
  let level: readonly Ahead[] = [{ holder: payload, name: "", depth: 1, listed: false }];
  while (level.length > 0) {
    const below: Ahead[] = [];
    for (const ahead of level) {
      for (const [key, value] of Object.entries(ahead.holder)) {
        const name = nameOf(key, ahead);
        if (name.length <= MAX_NAME) found.get(normalName(name))?.push(placeOf(key, value, name, ahead));
        if (typeof value === "object" && value !== null && ahead.depth < MAX_DEPTH) {
          const holder: Holder = value;
          below.push({ holder, name, depth: ahead.depth + 1, listed: Array.isArray(ahead.holder) });
        }
      }
    }
    level = below;
  }
  return found;
}

function placeOf(key: string, value: JsonValue, name: string, { holder, depth, name: within }: Ahead): Place {
  return { name, value, holder, key: Array.isArray(holder) ? Number(key) : key, depth, within };
}

const NOBODYS = "";

/**
 * What a value is called. Two shapes in which tools write a field's name beside its value mean that field, and their
 * `value` is nobody's amount: `{name: "evid", value: ...}` in a list, and `email: {value: ..., versions: [...]}` with the
 * field's history. Nor is one whose kind stands beside it: `{value: "10.0", value_type: "percentage"}`, a discount.
 */
function nameOf(key: string, { holder, name, listed }: Ahead): string {
  if (Array.isArray(holder)) return name;
  if (key !== "value" || !isObject(holder)) return key;
  if (name === "versions" || Object.hasOwn(holder, "value_type")) return NOBODYS;
  if (Object.hasOwn(holder, "versions")) return name;
  return (listed ? pairName(holder) : null) ?? key;
}

const PAIR_NAMES = ["name", "key", "label", "field"];
/** What else stands in such a pair. */
const BESIDE_PAIRS = new Set([...PAIR_NAMES, "value", "id", "ref", "slug", "type", "title"]);

/** The name in an entry that is a pair of name and value and little else; null for any other. */
function pairName(entry: JsonObject): string | null {
  const names = Object.keys(entry);
  if (!names.every((name) => BESIDE_PAIRS.has(name) || name.startsWith("display_"))) return null;
  const named = PAIR_NAMES.map((name) => (Object.hasOwn(entry, name) ? entry[name] : undefined));
  return named.find((name) => typeof name === "string") ?? null;
}
