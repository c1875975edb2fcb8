import { users as facet } from "../../../domain/analytics/facets/users";
import { usersBody, usersOperation } from "../../../domain/read-api/users";
import { cubeEndpoint } from "../endpoint";

export const users = cubeEndpoint(usersOperation, facet, usersBody);
