/** Headers by lower-case name. */
type Headers = Readonly<Record<string, string>>;

/**
 * Whether a state-changing request with a session cookie comes from our own pages: its `Origin` is the host it was
 * sent to, and https where the request was (over http, a page of that host may be anybody's on the way). Without an
 * `Origin` it is either no browser, or one that tells by `Sec-Fetch-Site`; a browser that sends neither with a
 * cross-site POST is older than SameSite cookies and gets no session.
 */
export function isSameOrigin(headers: Headers): boolean {
  const { origin, host, "x-forwarded-proto": sentOver } = headers;
  if (origin !== undefined) {
    const downgraded = sentOver === "https" && !/^https:/i.test(origin);
    return host !== undefined && !downgraded && hostOf(origin) === host.toLowerCase();
  }
  const site = headers["sec-fetch-site"];
  return site === undefined || site === "same-origin" || site === "none";
}

function hostOf(origin: string): string | null {
  return /^https?:\/\//i.test(origin) && URL.canParse(origin) ? new URL(origin).host : null;
}
