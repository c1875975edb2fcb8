import * as z from "zod";

export const envSchema = z.object({
  IDENTITY_TABLE: z.string().min(1),
  FACTS_TABLE: z.string().min(1),
  DELIVERIES_TABLE: z.string().min(1),
  OUTBOX_QUEUE_URL: z.url(),
});

export const parseEnv = (env: NodeJS.ProcessEnv) => envSchema.parse(env);
