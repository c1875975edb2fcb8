import * as z from "zod";

export const envSchema = z.object({
  FACTS_TABLE: z.string().min(1),
  DELIVERIES_TABLE: z.string().min(1),
  ROLLUP_QUEUE_URL: z.url(),
  BACKFILL_QUEUE_URL: z.url(),
  OUTBOX_QUEUE_URL: z.url(),
  LINKS_QUEUE_URL: z.url(),
});

export const parseEnv = (env: NodeJS.ProcessEnv) => envSchema.parse(env);
