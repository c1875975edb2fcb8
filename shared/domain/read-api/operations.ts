import { funnelsOperation } from "./funnels";
import { leadsOperation } from "./leads";
import type { Operation } from "./operation";
import { overviewOperation } from "./overview";
import { pagesOperation } from "./pages";
import type { Period } from "./period";
import { productsOperation } from "./products";
import { revenueOperation } from "./revenue";
import { usersOperation } from "./users";

/** An operation whose body and parameters are of no concern. */
export type AnyOperation = Pick<
  Operation<{ period: Period }>,
  "name" | "summary" | "description" | "response" | "example" | "parameters"
>;

/** The read API (contract: "Read API: operations"), as it is documented and offered. */
export const OPERATIONS: readonly AnyOperation[] = [
  overviewOperation,
  revenueOperation,
  leadsOperation,
  pagesOperation,
  productsOperation,
  usersOperation,
  funnelsOperation,
];
