import { httpFunction } from "../../shared/lambda/http";
import { readSources } from "../../shared/lambda/read-api/endpoint";
import { ENDPOINTS } from "../../shared/lambda/read-api/endpoints";
import type { analyticsOver } from "../support/analytics";
import type { referenceBodies } from "./reference";
import { ask, readApi } from "./support";

/** The bodies of all endpoints, by name. */
export type Bodies = ReturnType<typeof referenceBodies>;

/** Puts one question to every endpoint, through its handler, over an engine's tables, at `now`. */
export function askAll(core: ReturnType<typeof analyticsOver>, now: number) {
  const { dependencies } = readApi({
    sites: { find: async (id) => ({ id, workspace: 1, domain: "shop.example", name: "Shop" }) },
    cache: { read: async () => null, write: async () => {} },
    clock: () => now,
  });
  const handlers = ENDPOINTS.map(
    ({ operation, handler }) =>
      [operation.name, httpFunction(handler(dependencies, readSources(core)))] as const,
  );
  return async (site: number, query: Readonly<Record<string, string>>): Promise<Bodies> => {
    const text = String(new URLSearchParams({ site_id: String(site), ...query }));
    const answers = await Promise.all(
      handlers.map(async ([name, handler]) => {
        const answer = await ask(handler, text);
        expect([name, answer.status, answer.status === 200 || answer.text]).toEqual([name, 200, true]);
        return [name, answer.json()] as const;
      }),
    );
    return Object.fromEntries(answers) as Bodies;
  };
}
