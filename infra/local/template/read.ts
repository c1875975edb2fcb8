import { existsSync, readFileSync } from "node:fs";
import * as z from "zod";
import { LocalFailure } from "../failure";
import type { Place } from "./addresses";
import type { RawTemplate } from "./intrinsics";
import type { ServiceModel } from "./model";
import { readEvents } from "./read-events";
import { readFunctions } from "./read-functions";
import { readRoutes } from "./read-routes";
import { readQueues, readTables } from "./read-stores";
import { Resources } from "./resources";
import { stageProperties } from "./schemas";

/**
 * Reads the synthesised template at `file` and resolves it for this machine.
 * @throws LocalFailure naming the resource that cannot be understood
 */
export function readTemplate(file: string, place: Place): ServiceModel {
  if (!existsSync(file)) {
    throw new LocalFailure(`There is no template at ${file}. Run \`npm run synth\` first.`);
  }
  const resources = new Resources(JSON.parse(readFileSync(file, "utf8")) as RawTemplate, file, place);
  // There is one API, and it has one stage, whose name is no part of any address.
  resources.each("AWS::ApiGatewayV2::Api", z.unknown(), () => null);
  resources.each("AWS::ApiGatewayV2::Stage", stageProperties, () => null);
  const model = {
    tables: readTables(resources),
    queues: readQueues(resources),
    functions: readFunctions(resources),
    routes: readRoutes(resources),
    ...readEvents(resources),
    keys: resources.each("AWS::KMS::Key", z.unknown(), (_, logicalId, resource) => ({
      logicalId,
      name: resources.name(logicalId, resource),
      arn: resources.arn(logicalId, resource),
    })),
  };
  return { ...model, unplayed: resources.unplayed() };
}
