import * as z from "zod";
import { type CubeReader, createCubeReader } from "../../application/cube-reader";
import { createPageReader, type PageReader } from "../../application/page-reader";
import type { Facet } from "../../domain/analytics/facets/facet";
import type { Operation } from "../../domain/read-api/operation";
import type { AnyOperation } from "../../domain/read-api/operations";
import type { Values } from "../../domain/read-api/parameters";
import type { Period } from "../../domain/read-api/period";
import type { DateRange } from "../../domain/read-api/range";
import type { FunnelDirectory } from "../../ports/funnels";
import { createSiteDirectory } from "../../storage/access/sites";
import { createDynamo, type Dynamo } from "../../storage/dynamo";
import { analyticsStores } from "../analytics-stores";
import { type HttpHandler, httpFunction } from "../http";
import { type ReadDependencies, readEndpoint } from "../read-endpoint";
import type { Answering } from "./definition";
import { readDependencies } from "./dependencies";

/** What endpoints read their answers from. */
export interface Sources {
  readonly cubes: CubeReader;
  readonly pages: PageReader;
  readonly funnels: FunnelDirectory;
}

/** An operation of the read API and what answers it. */
export interface Endpoint {
  readonly operation: AnyOperation;
  handler(dependencies: ReadDependencies, sources: Sources): HttpHandler;
}

export const endpoint = <Body extends { period: Period }, Own extends Values, Prepared>(
  operation: Operation<Body, Own>,
  answering: (sources: Sources) => Answering<Body, Own, Prepared>,
): Endpoint => ({
  operation: operation as AnyOperation,
  handler: (dependencies, sources) => readEndpoint({ ...operation, ...answering(sources) }, dependencies),
});

/** An endpoint that is one facet of the range, shaped. The markers are read beside the checks, to save a round trip. */
export const cubeEndpoint = <Cube, Body extends { period: Period }>(
  operation: Operation<Body>,
  facet: Facet<Cube>,
  shape: (cube: Cube, range: DateRange) => Omit<Body, "period">,
): Endpoint =>
  endpoint(operation, ({ cubes }) => ({
    prepare: ({ siteId, signal }) => cubes.trust(siteId, signal),
    query: async ({ site, range, prepared: trust, signal }) =>
      shape(await cubes.read({ site: site.id, facet, interval: range, trust, signal }), range),
  }));

const tableName = z.string().min(1);

/** What every function of the read API is told. */
export const readEnvSchema = z.object({
  CONFIG_TABLE: tableName,
  FACTS_TABLE: tableName,
  CUBES_TABLE: tableName,
  EPHEMERAL_TABLE: tableName,
});

/** What endpoints read their answers from, over the stores of the analytics. */
export const readSources = (stores: ReturnType<typeof analyticsStores>): Sources => ({
  cubes: createCubeReader(stores),
  pages: createPageReader(stores),
  funnels: stores.funnels,
});

/** The tables of {@link readEnvSchema}, behind what endpoints are given. */
export function composeReads(
  dynamo: Dynamo,
  env: z.infer<typeof readEnvSchema>,
): { readonly dependencies: ReadDependencies; readonly sources: Sources } {
  const tables = { facts: env.FACTS_TABLE, cubes: env.CUBES_TABLE, config: env.CONFIG_TABLE };
  const stores = analyticsStores(dynamo, tables);
  return {
    dependencies: readDependencies(
      dynamo,
      env.EPHEMERAL_TABLE,
      createSiteDirectory(dynamo, env.CONFIG_TABLE),
    ),
    sources: readSources(stores),
  };
}

/** Composes the Lambda function of an endpoint from its environment. */
export function readFunction(endpoint: Endpoint, environment: NodeJS.ProcessEnv) {
  const { dependencies, sources } = composeReads(createDynamo(), readEnvSchema.parse(environment));
  return httpFunction(endpoint.handler(dependencies, sources));
}
