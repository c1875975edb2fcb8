import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { createRebuilder } from "../../shared/application/rebuilder";
import { createSealer } from "../../shared/application/sealer";
import { createVerifier } from "../../shared/application/verifier";
import { bucketId } from "../../shared/domain/analytics/bucket";
import { ApiError } from "../../shared/domain/errors";
import { type Instant, toIso } from "../../shared/domain/instant";
import { analyticsStores } from "../../shared/lambda/analytics-stores";
import { findSite } from "../../shared/storage/access/sites";
import { markUpdate } from "../../shared/storage/analytics/markers";
import { BadNews, type Command, type Context, command, wholeNumber } from "./command";
import { differencesIn } from "./differences";

const options = z.strictObject({ site: wholeNumber });

/** Figures made again from the facts, and held against them. Both work while the site is read and written. */
export const ANALYTICS_COMMANDS: Readonly<Record<string, Command>> = {
  rebuild: command("make a site's figures again from its facts", options, async ({ site }, context) => {
    await requireSite(site, context);
    const { rebuilder } = analyticsOf(context);
    let days = 0;
    await rebuilder.rebuild(site, (day) => {
      days++;
      context.say(`${dateOf(day)}  rebuilt`);
    });
    return { site, days };
  }),

  verify: command(
    "count a site's facts the slow way and compare with what readers are served",
    options,
    async ({ site }, context) => {
      await requireSite(site, context);
      const { verifier } = analyticsOf(context);
      const { equal, differences } = await verifier.verify(site, (month) =>
        context.say(`${dateOf(month).slice(0, 7)}  compared`),
      );
      if (differences.length === 0) return { site, cubes_equal: equal, differences: [] };
      throw new BadNews(
        `The figures differ from the facts. Mend them: npm run admin -- rebuild --site ${site}`,
        {
          site,
          cubes_equal: equal,
          differences: differences.map(({ facet, bucket, counted, served }) => ({
            facet,
            bucket: bucketId(bucket).slice(1),
            figures: differencesIn(counted, served),
          })),
        },
      );
    },
  ),
};

function analyticsOf({ config: { dynamo }, tableOf, clock, random }: Context) {
  const tables = { facts: tableOf("Facts"), cubes: tableOf("Cubes"), config: tableOf("Config") };
  const stores = analyticsStores(dynamo, tables);
  return {
    verifier: createVerifier(stores),
    rebuilder: createRebuilder({
      ...stores,
      clock,
      sealer: createSealer({ ...stores, clock }),
      mark: async (site, quarter, now) => {
        await dynamo.send(new UpdateCommand(markUpdate(tables.facts, site, quarter, now, random)));
      },
    }),
  };
}

async function requireSite(site: number, { config }: Context): Promise<void> {
  if (!(await findSite(config, site))) throw new ApiError("NOT_FOUND", `There is no site ${site}.`);
}

const dateOf = (at: Instant): string => toIso(at).slice(0, 10);
