import * as z from "zod";
import type { FacetBuilder } from "../../shared/application/facet-builder";
import { MINUTE } from "../../shared/domain/instant";
import { log } from "../../shared/lambda/log";
import { queueFunction } from "../../shared/lambda/queue";
import type { FacetBuild } from "../../shared/ports/analytics";
import type { Clock } from "../../shared/ports/clock";
import type { Queue } from "../../shared/ports/queue";

const messageSchema: z.ZodType<FacetBuild> = z.object({ site: z.int().positive(), facet: z.string().min(1) });

export interface BackfillDependencies {
  readonly builder: FacetBuilder;
  readonly backfills: Queue<FacetBuild>;
  readonly clock: Clock;
}

/** How long one call works on a facet before it hands the rest to the next, well within the function's time. */
const TURN = MINUTE;

/**
 * Builds the cubes of added facets. What takes more than a turn goes to the end of the queue, so that a site of many
 * facts keeps no other waiting. A build that fails is left to the queue, and after that to the sweeper.
 */
export const backfillHandler = ({ builder, backfills, clock }: BackfillDependencies) =>
  queueFunction(async (messages) => {
    const failed: string[] = [];
    for (const { id, body } of messages) {
      const build = messageSchema.safeParse(body).data;
      if (!build) {
        log.error("dropped a back-fill message that is not of our form");
        continue;
      }
      try {
        const isDone = await builder.build(build, clock() + TURN);
        log.info(isDone ? "built" : "built in part", { ...build });
        if (!isDone) await backfills.send(build);
      } catch (error) {
        log.error("building failed", { ...build, error: error as Error });
        failed.push(id);
      }
    }
    return failed;
  });
