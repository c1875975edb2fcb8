import { type JsonObject, type JsonValue, MAX_DEPTH } from "../json";

/** One field of a form, decoded. */
export type Pair = readonly [name: string, value: string];

/** What stands under one name: its own values, and what is in brackets behind it. */
interface Branch {
  readonly values: string[];
  readonly inner: Map<string, Branch>;
}

const NAME = /^([^[\]]+)((?:\[[^[\]]*\])+)$/;
const INDEX = /^(?:0|[1-9]\d*)$/;

/**
 * The object a form's fields stand for: `customer[email]` nests, `items[0][sku]` and `tags[]` make lists, a name given
 * several times is the list of its values. Numbers that do not count from 0 without a gap are names, so that they are not
 * lost and cost nothing however large. A name with broken brackets, or with more of them than a payload has levels, is a
 * name like any other.
 */
export function nest(pairs: readonly Pair[]): JsonObject {
  const root = branch();
  for (const [name, value] of pairs) {
    let at = root;
    for (const [level, step] of stepsOf(name).entries()) {
      const key = step === "" && level > 0 ? String(at.inner.size) : step;
      const next = at.inner.get(key) ?? branch();
      at.inner.set(key, next);
      at = next;
    }
    at.values.push(value);
  }
  return toObject(root);
}

const branch = (): Branch => ({ values: [], inner: new Map() });

function stepsOf(name: string): string[] {
  const [, first = name, brackets = ""] = NAME.exec(name) ?? [];
  const inner = brackets === "" ? [] : brackets.slice(1, -1).split("][");
  return inner.length < MAX_DEPTH ? [first, ...inner] : [name];
}

function toValue(from: Branch): JsonValue {
  const { values, inner } = from;
  if (inner.size === 0) return values.length === 1 ? (values[0] ?? "") : values;
  const isList = [...inner.keys()].every((key) => INDEX.test(key) && Number(key) < inner.size);
  const container = isList
    ? [...inner].sort(([a], [b]) => Number(a) - Number(b)).map(([, entry]) => toValue(entry))
    : toObject(from);
  return values.length === 0 ? container : [...values, container];
}

const toObject = ({ inner }: Branch): JsonObject =>
  Object.fromEntries([...inner].map(([name, entry]) => [name, toValue(entry)]));
