import * as z from "zod";

export const envSchema = z.object({});

export const parseEnv = (env: NodeJS.ProcessEnv) => envSchema.parse(env);
