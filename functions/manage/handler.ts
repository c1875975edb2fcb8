import { isSameOrigin } from "../../shared/domain/access/same-origin";
import { ApiError } from "../../shared/domain/errors";
import { type HttpRequest, httpFunction, json } from "../../shared/lambda/http";
import { originOf } from "../../shared/lambda/origin";
import { sessionToken } from "../../shared/lambda/session-cookie";
import { findMemberAndWorkspace } from "../../shared/storage/access/members";
import type { Sessions } from "../../shared/storage/access/sessions";
import { describeApi } from "./openapi";
import { type Actor, findRoute, type Services } from "./route";
import { ROUTES } from "./routes";

export interface Dependencies extends Services {
  readonly sessions: Sessions;
}

const DESCRIPTION_PATH = "/api-docs/manage.json";

/** The management API, and its description. */
export const manageHandler = ({ sessions, ...services }: Dependencies) =>
  httpFunction(async (request) => {
    if (request.path === DESCRIPTION_PATH) return json(200, describeApi(ROUTES));
    const { route, params } = findRoute(ROUTES, request);
    if (route.method !== "GET" && !isSameOrigin(request.headers)) {
      throw new ApiError("FORBIDDEN", "Changes are made from our own pages only.");
    }
    const actor = await whoIs(request, sessions, services);
    if (route.ownersOnly && actor.member.role !== "owner") {
      throw new ApiError("FORBIDDEN", "Only owners of the workspace can do this.");
    }
    return route.run(request, { ...services, actor, params, origin: originOf(request) });
  });

/**
 * The member behind the session, as they are now: a removed member or a changed password ends every session at once.
 * Throws LOGIN_REQUIRED.
 */
async function whoIs(request: HttpRequest, sessions: Sessions, services: Services): Promise<Actor> {
  const token = sessionToken(request);
  const session = token === undefined ? null : await sessions.find(token, services.clock());
  if (!session) throw new ApiError("LOGIN_REQUIRED");
  const actor = await findMemberAndWorkspace(services.config, session.workspace, session.member);
  if (actor?.member.passwordVersion !== session.passwordVersion) throw new ApiError("LOGIN_REQUIRED");
  return actor;
}
