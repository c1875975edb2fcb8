import { NO_FUNNELS } from "../../domain/funnels/saved-funnels";
import type { TransactItem } from "../transact";
import { funnelsKey } from "./funnel-keys";

/** Part of a transaction that holds only while a site's funnels are those of this version; 0 is none ever saved. */
export const funnelsUnchanged = (configTable: string, site: number, version: number): TransactItem => ({
  ConditionCheck: { TableName: configTable, Key: funnelsKey(site), ...whileOfVersion(version) },
});

/** The same as the condition of a write of the funnels' item. */
export const whileOfVersion = (version: number) =>
  version === NO_FUNNELS.version
    ? { ConditionExpression: "attribute_not_exists(pk)" }
    : {
        ConditionExpression: "#version = :version",
        ExpressionAttributeNames: { "#version": "version" },
        ExpressionAttributeValues: { ":version": version },
      };
