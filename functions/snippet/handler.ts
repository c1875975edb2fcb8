import { gzipSync } from "node:zlib";
import { etagOf, namesEtag } from "../../shared/lambda/etag";
import type { HttpHandler } from "../../shared/lambda/http";

/** An hour in the browser; for a day after it, the old one serves while the new one is fetched. */
const CACHE_CONTROL = "public, max-age=3600, stale-while-revalidate=86400";

/** Serves the tracking snippet: the same for every site, so that one cached copy serves all. */
export function snippetHandler(code: string): HttpHandler {
  const gzipped = gzipSync(code, { level: 9 });
  const etag = etagOf(code);
  const common = {
    etag,
    "cache-control": CACHE_CONTROL,
    vary: "accept-encoding",
    // Pages that isolate themselves (Cross-Origin-Embedder-Policy) load only what says it may be.
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
  };
  return async ({ headers }) => {
    if (namesEtag(headers["if-none-match"], etag)) return { status: 304, headers: common };
    const served = { ...common, "content-type": "text/javascript; charset=utf-8" };
    return acceptsGzip(headers["accept-encoding"])
      ? { status: 200, headers: { ...served, "content-encoding": "gzip" }, body: gzipped }
      : { status: 200, headers: served, body: code };
  };
}

const acceptsGzip = (accepted: string | undefined): boolean =>
  (accepted ?? "").split(",").some((coding) => /^\s*(gzip|\*)\s*(;(?!\s*q=0(\.0*)?\s*$).*)?$/i.test(coding));
