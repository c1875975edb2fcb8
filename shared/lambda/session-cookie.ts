import { SECOND } from "../domain/instant";
import { SESSION_MS } from "../storage/access/sessions";
import type { HttpRequest } from "./http";

/**
 * The session cookie. Over https it is `__Host-session`, which no other host, subdomains included, can set for us.
 * Over plain http (the local run; the deployed gateway speaks https only) browsers that keep Secure cookies to https
 * would drop it, so there it is `session` without Secure.
 */
const isPlain = ({ headers }: HttpRequest): boolean => headers["x-forwarded-proto"] === "http";

const nameFor = (request: HttpRequest): string => (isPlain(request) ? "session" : "__Host-session");

/** The session token a request carries, if any; not yet known to be good. */
export const sessionToken = (request: HttpRequest): string | undefined => request.cookies[nameFor(request)];

export const setSession = (request: HttpRequest, token: string): string =>
  cookie(request, token, SESSION_MS / SECOND);

export const clearSession = (request: HttpRequest): string => cookie(request, "", 0);

const cookie = (request: HttpRequest, value: string, seconds: number): string =>
  `${nameFor(request)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isPlain(request) ? "" : "; Secure"}`;
