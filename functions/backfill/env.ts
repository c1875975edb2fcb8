import * as z from "zod";

export const envSchema = z.object({
  CONFIG_TABLE: z.string().min(1),
  FACTS_TABLE: z.string().min(1),
  CUBES_TABLE: z.string().min(1),
  BACKFILL_QUEUE_URL: z.url(),
});

export const parseEnv = (env: NodeJS.ProcessEnv) => envSchema.parse(env);
