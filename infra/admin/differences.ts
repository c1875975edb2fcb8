import { unpack } from "../../shared/domain/analytics/codec";

const MOST = 5;

/** Where two encoded cubes differ, by the path of the figure in what they pack: the first few. For people. */
export function differencesIn(counted: Uint8Array | null, served: Uint8Array | null): string[] {
  const leaves = [counted, served].map((cube) => (cube ? flatten(unpack(cube)) : new Map<string, string>()));
  const paths = [...new Set(leaves.flatMap((side) => [...side.keys()]))];
  const [a, b] = leaves;
  return paths
    .filter((path) => a?.get(path) !== b?.get(path))
    .slice(0, MOST)
    .map((path) => `${path}: ${a?.get(path) ?? "nothing"} by the facts, ${b?.get(path) ?? "nothing"} served`);
}

function flatten(value: unknown, path: readonly string[] = []): Map<string, string> {
  if (value instanceof Uint8Array) return leaf(path, `a set of ${value.length} bytes (${digest(value)})`);
  if (typeof value !== "object" || value === null) return leaf(path, JSON.stringify(value));
  return new Map(Object.entries(value).flatMap(([name, part]) => [...flatten(part, [...path, name])]));
}

const leaf = (path: readonly string[], text: string): Map<string, string> =>
  new Map([[path.join("."), text]]);

const digest = (bytes: Uint8Array): string =>
  bytes.reduce((sum, byte) => (Math.imul(sum, 31) + byte) >>> 0, 7).toString(36);
