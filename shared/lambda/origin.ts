import type { HttpRequest } from "./http";

/** The origin a request was sent to, for addresses its caller is told: of the headers, which the gateway sets. Empty when they make none. */
export function originOf({ headers }: Pick<HttpRequest, "headers">): string {
  const scheme = headers["x-forwarded-proto"] === "http" ? "http" : "https";
  const origin = `${scheme}://${headers.host ?? ""}`;
  return URL.canParse(origin) ? new URL(origin).origin : "";
}
