import { isSameOrigin } from "../../shared/domain/access/same-origin";
import { meView, viewMember, viewWorkspace } from "../../shared/domain/access/views";
import { ApiError } from "../../shared/domain/errors";
import { type HttpRequest, type HttpResponse, httpFunction, json } from "../../shared/lambda/http";
import { readJson } from "../../shared/lambda/json-body";
import { clearSession, sessionToken, setSession } from "../../shared/lambda/session-cookie";
import type { Clock } from "../../shared/ports/clock";
import type { Sessions } from "../../shared/storage/access/sessions";
import { type LoginDependencies, logIn, loginBody } from "./login";

export interface Dependencies extends LoginDependencies {
  readonly sessions: Sessions;
  readonly clock: Clock;
}

const NO_STORE = { "cache-control": "no-store" };

/** `POST /api/auth/login` and `POST /api/auth/logout`: a session cookie given and taken. */
export const authHandler = (dependencies: Dependencies) =>
  httpFunction(async (request) => {
    if (!isSameOrigin(request.headers)) throw new ApiError("FORBIDDEN", "Log in from our own pages.");
    if (request.path === "/api/auth/login") return login(request, dependencies);
    if (request.path === "/api/auth/logout") return logout(request, dependencies);
    throw new ApiError("NOT_FOUND");
  });

/** The session of the cookie that came along, if any, ends: a login never continues somebody's session. */
async function login(request: HttpRequest, dependencies: Dependencies): Promise<HttpResponse> {
  const { sessions, clock } = dependencies;
  const from = { address: request.sourceIp, now: clock() };
  const { member, workspace } = await logIn(readJson(request, loginBody), from, dependencies);
  const before = sessionToken(request);
  const [token] = await Promise.all([
    sessions.create(member, from.now),
    before === undefined ? undefined : sessions.end(before),
  ]);
  const body = meView.parse({ member: viewMember(member), workspace: viewWorkspace(workspace) });
  return { ...json(200, body, NO_STORE), cookies: [setSession(request, token)] };
}

async function logout(request: HttpRequest, { sessions }: Dependencies): Promise<HttpResponse> {
  const token = sessionToken(request);
  if (token !== undefined) await sessions.end(token);
  return { status: 204, headers: NO_STORE, cookies: [clearSession(request)] };
}
