import { users } from "../../shared/domain/analytics/facets/users";
import { usersBody, usersSchema } from "../../shared/domain/read-api/users";

/** `GET /v1/users`: visitors, new and returning, by source and country. */
export const endpoint = { name: "users", response: usersSchema, facet: users, shape: usersBody };
