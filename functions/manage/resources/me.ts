import { meView, viewMember, viewWorkspace } from "../../../shared/domain/access/views";
import { type Route, reading } from "../route";

export const meRoutes: readonly Route[] = [
  reading({
    method: "GET",
    path: "/api/manage/me",
    summary: "Who is logged in",
    answer: meView,
    handle: async ({ actor }) => ({
      member: viewMember(actor.member),
      workspace: viewWorkspace(actor.workspace),
    }),
  }),
];
