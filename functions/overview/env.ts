import * as z from "zod";

const tableName = z.string().min(1);

export const envSchema = z.object({
  CONFIG_TABLE: tableName,
  FACTS_TABLE: tableName,
  CUBES_TABLE: tableName,
  EPHEMERAL_TABLE: tableName,
});

export const parseEnv = (env: NodeJS.ProcessEnv) => envSchema.parse(env);
