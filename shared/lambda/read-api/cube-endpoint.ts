import * as z from "zod";
import { type CubeReader, createCubeReader } from "../../application/cube-reader";
import type { Facet } from "../../domain/analytics/facets/facet";
import type { Period } from "../../domain/read-api/period";
import type { DateRange } from "../../domain/read-api/range";
import { createSiteDirectory } from "../../storage/access/sites";
import { createCubeStore } from "../../storage/analytics/cubes";
import { createFactReader } from "../../storage/analytics/facts";
import { createMarkerReader } from "../../storage/analytics/markers";
import { createDynamo } from "../../storage/dynamo";
import { systemRandom } from "../random";
import { type ReadDependencies, readEndpoint } from "../read-endpoint";
import { readDependencies } from "./dependencies";

/** An endpoint that is one facet of the range, shaped: all there is to say about most of the read API. */
export interface CubeEndpoint<Cube, Body extends { period: Period }> {
  readonly name: string;
  readonly response: z.ZodType<Body>;
  readonly facet: Facet<Cube>;
  readonly shape: (cube: Cube, range: DateRange) => Omit<Body, "period">;
}

/** The handler of an endpoint over its facet. The markers are read beside the checks, to save a round trip. */
export const cubeHandler = <Cube, Body extends { period: Period }>(
  { name, response, facet, shape }: CubeEndpoint<Cube, Body>,
  dependencies: ReadDependencies,
  cubes: CubeReader,
) =>
  readEndpoint(
    {
      name,
      response,
      prepare: ({ siteId, signal }) => cubes.markers(siteId, signal),
      query: async ({ site, range, prepared, signal }) =>
        shape(await cubes.read({ site: site.id, facet, interval: range, markers: prepared, signal }), range),
    },
    dependencies,
  );

const tableName = z.string().min(1);

/** What every function of a {@link CubeEndpoint} is told. */
export const cubeEnvSchema = z.object({
  CONFIG_TABLE: tableName,
  FACTS_TABLE: tableName,
  CUBES_TABLE: tableName,
  EPHEMERAL_TABLE: tableName,
});

/** Composes the Lambda function of an endpoint from its environment. */
export function cubeFunction<Cube, Body extends { period: Period }>(
  endpoint: CubeEndpoint<Cube, Body>,
  environment: NodeJS.ProcessEnv,
) {
  const env = cubeEnvSchema.parse(environment);
  const dynamo = createDynamo();
  const tables = { facts: env.FACTS_TABLE, cubes: env.CUBES_TABLE };
  return cubeHandler(
    endpoint,
    readDependencies(dynamo, env.EPHEMERAL_TABLE, createSiteDirectory(dynamo, env.CONFIG_TABLE)),
    createCubeReader({
      markers: createMarkerReader(dynamo, tables.facts),
      facts: createFactReader(dynamo, tables.facts),
      cubes: createCubeStore({ dynamo, tables, random: systemRandom }),
    }),
  );
}
