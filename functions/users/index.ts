import { readFunction } from "../../shared/lambda/read-api/endpoint";
import { users } from "../../shared/lambda/read-api/endpoints/users";

export const handler = readFunction(users, process.env);
