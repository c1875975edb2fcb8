import * as z from "zod";
import type { Funnel } from "../funnels/funnel";
import type { Operation } from "./operation";
import { EXAMPLE_PERIOD, periodSchema } from "./period";
import { count, percent, percentage } from "./rows";

/** Body of `GET /v1/funnels` (contract: "Response of GET /v1/funnels"). */
const funnelsSchema = z.object({
  period: periodSchema,
  funnels: z
    .array(
      z.object({
        id: count("Number of the funnel in its site."),
        name: z.string().describe("The funnel's name."),
        steps: z
          .array(
            z.object({
              step_name: z.string().describe("The step's name."),
              visitors: count("Distinct visitors who did this step after those before it."),
              conversion_from_previous_pct: percentage(
                "Visitors of this step by those of the step before it; 100 for the first.",
              ),
            }),
          )
          .describe("In the funnel's order."),
        overall_conversion_pct: percentage("Visitors of the last step by those of the first."),
      }),
    )
    .describe("By id; empty when the site has no saved funnels."),
});
export type FunnelsBody = Omit<z.infer<typeof funnelsSchema>, "period">;

export const funnelsOperation: Operation<z.infer<typeof funnelsSchema>> = {
  name: "funnels",
  summary: "The saved funnels, step by step",
  description:
    "How many visitors came how far in each saved funnel. Every step strictly later than the one before, other activity allowed between, all inside the range; a visitor counts once per step. Empty when the site has no saved funnels.",
  response: funnelsSchema,
  example: {
    period: EXAMPLE_PERIOD,
    funnels: [
      {
        id: 1,
        name: "Product to purchase",
        steps: [
          { step_name: "Product page", visitors: 800, conversion_from_previous_pct: 100 },
          { step_name: "Checkout", visitors: 120, conversion_from_previous_pct: 15 },
          { step_name: "Purchase", visitors: 48, conversion_from_previous_pct: 40 },
        ],
        overall_conversion_pct: 6,
      },
    ],
  },
};

/** A saved funnel and how many visitors have done at least 1, 2, ... of its steps in the range. */
export interface EvaluatedFunnel {
  readonly funnel: Pick<Funnel, "id" | "name" | "steps">;
  readonly visitors: readonly number[];
}

/**
 * Funnels by id (decisions: "Row order"). The first step shows 100 whoever did it, also when nobody did: it is compared with
 * itself. Every later one, and the whole, is 0 of nobody (decisions: "Sums agree").
 */
export const funnelsBody = (evaluated: readonly EvaluatedFunnel[]): FunnelsBody => ({
  funnels: evaluated
    .toSorted((a, b) => a.funnel.id - b.funnel.id)
    .map(({ funnel: { id, name, steps }, visitors }) => ({
      id,
      name,
      steps: steps.map((step, i) => ({
        step_name: step.name,
        visitors: visitors[i] ?? 0,
        conversion_from_previous_pct: i === 0 ? 100 : percent(visitors[i] ?? 0, visitors[i - 1] ?? 0),
      })),
      overall_conversion_pct: percent(visitors.at(-1) ?? 0, visitors[0] ?? 0),
    })),
});
