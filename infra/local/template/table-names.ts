import { TABLES, type TableId, tableEnv } from "../../../shared/storage/tables";
import type { ServiceModel } from "./model";

/** The physical names of the tables by the product's ids, as the template tells them to the functions. */
export function tableNames(model: ServiceModel): Record<string, string> {
  return Object.fromEntries(
    (Object.keys(TABLES) as TableId[]).flatMap((id) => {
      const named = model.functions.find((fn) => fn.environment[tableEnv(id)] !== undefined);
      const name = named?.environment[tableEnv(id)];
      return name === undefined ? [] : [[id, name]];
    }),
  );
}
