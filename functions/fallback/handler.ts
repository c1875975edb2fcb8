import { ApiError } from "../../shared/domain/errors";
import type { HttpHandler } from "../../shared/lambda/http";

/**
 * Answers what no route takes: 405 METHOD_NOT_ALLOWED with `Allow` where the address exists for other methods, else 404
 * NOT_FOUND. That goes for HEAD and OPTIONS too: /v1 is not for browsers (decisions: "Read API").
 */
export const answerUnrouted =
  (routes: readonly string[]): HttpHandler =>
  async ({ method, path }) => {
    const methods = methodsAt(routes, path);
    if (methods.length === 0 || methods.includes(method) || methods.includes("ANY")) {
      throw new ApiError("NOT_FOUND");
    }
    throw new ApiError("METHOD_NOT_ALLOWED", undefined, { allow: methods.join(", ") });
  };

/** The methods that `path` takes. */
function methodsAt(routes: readonly string[], path: string): string[] {
  return routes.flatMap((route) => {
    const [method = "", template = ""] = route.split(" ");
    return matches(template.split("/"), path.split("/")) ? [method] : [];
  });
}

/** Whether path segments fit a template, in which `{name}` is any one segment and `{name+}` any number from one up. */
function matches([expected, ...template]: string[], [segment, ...path]: string[]): boolean {
  if (expected === undefined || segment === undefined) return expected === segment;
  if (expected.endsWith("+}")) return segment !== "" || path.length > 0;
  const fits = expected.startsWith("{") ? segment !== "" : expected === segment;
  return fits && matches(template, path);
}
