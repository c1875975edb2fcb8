import * as z from "zod";

export const envSchema = z.object({
  CONFIG_TABLE: z.string().min(1),
  IDENTITY_TABLE: z.string().min(1),
  FACTS_TABLE: z.string().min(1),
  DELIVERIES_TABLE: z.string().min(1),
  OUTBOX_QUEUE_URL: z.string().min(1),
  LINKS_QUEUE_URL: z.string().min(1),
  LINK_LOOKUP_SECONDS: z.coerce.number().nonnegative(),
});

export const parseEnv = (env: NodeJS.ProcessEnv) => envSchema.parse(env);
