/** A route that fits a request, with its path parameters decoded. */
export interface Match<Route> {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

interface Candidate<Route> {
  readonly route: Route;
  readonly method: string;
  readonly segments: readonly string[];
}

/**
 * Finds routes as API Gateway does: a literal segment before `{name}` before `{name+}`, the method's own route before
 * ANY, `$default` where nothing else fits. Parameters are never empty.
 */
export function router<Route extends { readonly key: string }>(routes: readonly Route[]) {
  const fallback = routes.find((route) => route.key === "$default");
  const candidates = routes
    .filter((route) => route !== fallback)
    .map((route): Candidate<Route> => {
      const [method = "", path = ""] = route.key.split(" ");
      return { route, method, segments: path.split("/").slice(1) };
    })
    .sort((a, b) => compare(rank(a), rank(b)));

  /** @param path as decoded segments behind the first slash */
  return (method: string, path: readonly string[]): Match<Route> | undefined => {
    for (const { route, method: wanted, segments } of candidates) {
      if (wanted !== method && wanted !== "ANY") continue;
      const params = match(segments, path);
      if (params) return { route, params };
    }
    return fallback && { route: fallback, params: {} };
  };
}

function match(segments: readonly string[], path: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const given = path[index];
    if (given === undefined) return undefined;
    const [, name, greedy] = /^\{([^}+]+)(\+?)\}$/.exec(segment) ?? [];
    if (name === undefined) {
      if (segment !== given) return undefined;
    } else if (greedy) {
      const rest = path.slice(index).join("/");
      return rest === "" ? undefined : { ...params, [name]: rest };
    } else if (given === "") {
      return undefined;
    } else {
      params[name] = given;
    }
  }
  return segments.length === path.length ? params : undefined;
}

/** One figure per segment and one for the method; less is more specific. */
const rank = ({ segments, method }: { segments: readonly string[]; method: string }): number[] => [
  ...segments.map((segment) => (segment.startsWith("{") ? (segment.endsWith("+}") ? 2 : 1) : 0)),
  method === "ANY" ? 3 : -1,
];

function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
