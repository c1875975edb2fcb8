import * as z from "zod";

export const envSchema = z.object({
  CONFIG_TABLE: z.string().min(1),
  FACTS_TABLE: z.string().min(1),
  DELIVERIES_TABLE: z.string().min(1),
  EPHEMERAL_TABLE: z.string().min(1),
  BACKFILL_QUEUE_URL: z.url(),
  SECRETS_KEY_ID: z.string().min(1),
});

export const parseEnv = (env: NodeJS.ProcessEnv) => envSchema.parse(env);
