import { resolve } from "node:path";
import * as z from "zod";
import { LocalFailure } from "./failure";

/** Settings that are passed on to the functions the template gives them to, and to no other (decisions: "Sending webhooks"). */
const PASSED_ON = [
  "DELIVERY_DELAY_SECONDS",
  "DELIVERY_TEST_DELAY_SECONDS",
  "DELIVERY_GAPS_SECONDS",
  "DELIVERY_TIMEOUT_SECONDS",
  "DELIVERY_PAUSE_AFTER_FAILURES",
  "DELIVERY_PAUSE_AFTER_SECONDS",
  "DELIVERY_ALLOW_PRIVATE",
  "LINK_LOOKUP_SECONDS",
  "SWEEP_SECONDS",
] as const;

export interface LocalSettings {
  readonly port: number;
  /** Absolute. */
  readonly dataDir: string;
  /** Whether the demo's data is made. */
  readonly demo: boolean;
  /** A DynamoDB that runs already, instead of one of our own. */
  readonly dynamoEndpoint?: string;
  readonly sweepMs?: number;
  /** By name, for the functions. */
  readonly passedOn: Readonly<Record<string, string>>;
}

const schema = z.object({
  PORT: z.coerce
    .number("must be a port number")
    .int()
    .min(0, "must be a port number")
    .max(65535, "must be a port number")
    .default(8787),
  LOCAL_DATA_DIR: z.string().min(1).default(".local"),
  LOCAL_DEMO: z.enum(["0", "1"], "must be 0 or 1").default("1"),
  LOCAL_DYNAMODB_ENDPOINT: z.url("must be a URL").optional(),
  SWEEP_SECONDS: z.coerce.number("must be a number of seconds").positive("must be above 0").optional(),
});

/** @throws LocalFailure naming the setting that is wrong */
export function readSettings(env: Readonly<Record<string, string | undefined>>): LocalSettings {
  const parsed = schema.safeParse(env);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new LocalFailure(`The setting ${issue?.path.join(".")} ${issue?.message}.`);
  }
  const { PORT, LOCAL_DATA_DIR, LOCAL_DEMO, LOCAL_DYNAMODB_ENDPOINT, SWEEP_SECONDS } = parsed.data;
  return {
    port: PORT,
    dataDir: resolve(LOCAL_DATA_DIR),
    demo: LOCAL_DEMO === "1",
    ...(LOCAL_DYNAMODB_ENDPOINT === undefined ? {} : { dynamoEndpoint: LOCAL_DYNAMODB_ENDPOINT }),
    ...(SWEEP_SECONDS === undefined ? {} : { sweepMs: SWEEP_SECONDS * 1000 }),
    passedOn: Object.fromEntries(
      PASSED_ON.flatMap((name) => {
        const value = env[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}
