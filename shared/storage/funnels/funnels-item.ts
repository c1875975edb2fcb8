import * as z from "zod";
import { ApiError } from "../../domain/errors";
import type { FunnelStep } from "../../domain/funnels/funnel";
import type { SavedFunnels } from "../../domain/funnels/saved-funnels";

/** Far below the 400 KB of an item, and room for 50 funnels of 8 steps of some 500 characters. Every read of funnels reads it all. */
const MAX_BYTES = 250_000;

const stepItem = z.union([
  z.object({ name: z.string(), page: z.string() }),
  z.object({ name: z.string(), event: z.string() }),
]);

const itemSchema = z.object({
  version: z.int(),
  next_id: z.int(),
  funnels: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      revision: z.int(),
      created: z.int(),
      steps: z.array(stepItem),
    }),
  ),
});

/** Throws BAD_REQUEST when all together they are too large. */
export function toItem({ version, nextId, funnels }: SavedFunnels): z.input<typeof itemSchema> {
  const item = {
    version,
    next_id: nextId,
    funnels: funnels.map(({ id, name, revision, created, steps }) => ({
      ...{ id, name, revision, created },
      steps: steps.map((step) => ({ name: step.name, ...step.matches })),
    })),
  };
  if (Buffer.byteLength(JSON.stringify(item)) <= MAX_BYTES) return item;
  throw new ApiError(
    "BAD_REQUEST",
    `The site's funnels are too large together (${MAX_BYTES / 1_000} KB). Shorten pages and names, or delete a funnel.`,
  );
}

export function fromItem(item: unknown): SavedFunnels {
  const { version, next_id: nextId, funnels } = itemSchema.parse(item);
  return {
    ...{ version, nextId },
    funnels: funnels.map(({ steps, ...funnel }) => ({ ...funnel, steps: steps.map(toStep) })),
  };
}

function toStep({ name, ...matches }: z.output<typeof stepItem>): FunnelStep {
  return { name, matches };
}
