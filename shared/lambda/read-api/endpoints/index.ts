import type { Endpoint } from "../endpoint";
import { funnels } from "./funnels";
import { leads } from "./leads";
import { overview } from "./overview";
import { pages } from "./pages";
import { products } from "./products";
import { revenue } from "./revenue";
import { users } from "./users";

/** Every operation that is answered, in the order of the contract. Each is a function of its own, and a tool of `functions/mcp`. */
export const ENDPOINTS: readonly Endpoint[] = [overview, revenue, leads, pages, products, users, funnels];
