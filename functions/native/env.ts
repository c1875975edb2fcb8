import * as z from "zod";

export const envSchema = z.object({
  CONFIG_TABLE: z.string().min(1),
  IDENTITY_TABLE: z.string().min(1),
  FACTS_TABLE: z.string().min(1),
  DELIVERIES_TABLE: z.string().min(1),
  OUTBOX_QUEUE_URL: z.string().min(1),
  LINKS_QUEUE_URL: z.string().min(1),
  SECRETS_KEY_ID: z.string().min(1),
});

export const parseEnv = (env: NodeJS.ProcessEnv) => envSchema.parse(env);
