/** What the tag says: `<script async src="{base}/t.js" data-site="1"></script>`. */
export interface Config {
  readonly site: number;
  /** Where hits go. Default `api/collect` beside the script; `data-endpoint` for a path of the site's own. */
  readonly endpoint: string;
  /** `data-cookie-domain`: shares the visitor among subdomains. */
  readonly cookieDomain: string | undefined;
  /** `data-hash`: the part behind `#` names the page. */
  readonly hash: boolean;
}

/** Null when the tag is not ours or names no site. */
export function readConfig(): Config | null {
  const script = document.currentScript ?? document.querySelector("script[data-site]");
  if (!(script instanceof HTMLScriptElement)) return null;
  const { site, endpoint, cookieDomain, hash } = script.dataset;
  const number = Number(site);
  if (!(number > 0)) return null;
  return {
    site: number,
    endpoint: new URL(endpoint || "api/collect", endpoint ? location.href : script.src).href,
    cookieDomain,
    hash: hash !== undefined && hash !== "false",
  };
}
