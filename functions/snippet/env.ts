import * as z from "zod";

/** It needs nothing. */
export const envSchema = z.object({});

export const parseEnv = (env: NodeJS.ProcessEnv) => envSchema.parse(env);
