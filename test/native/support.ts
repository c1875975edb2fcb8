import { randomBytes } from "node:crypto";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import { createNativeHandler } from "../../functions/native/handler";
import { createReceive } from "../../functions/native/receive";
import type { RecordConversion } from "../../shared/application/record-conversion";
import type { Instant } from "../../shared/domain/instant";
import { type NativeIntegration, tokenContext } from "../../shared/domain/native/integration";
import type { NativeKind } from "../../shared/domain/native/kinds";
import { recorderOver } from "../../shared/lambda/conversion-recorder";
import { httpFunction } from "../../shared/lambda/http";
import { createNativeDirectory } from "../../shared/storage/native/native-directory";
import {
  createNativeIntegration,
  deleteNativeIntegration,
  listNativeIntegrations,
} from "../../shared/storage/native/native-integrations";
import { factLogOf, visitorsOf } from "../conversions/support";
import type { Engine } from "../support/engine";
import { memorySecretBox } from "../support/secret-box";
import { CALENDLY_KEY, calendlySignature, NOON, STRIPE_SECRET, stripeSignature } from "./builders";

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

type Message = Readonly<Record<string, unknown>> | string | Uint8Array;

interface Posting {
  readonly signature?: string;
  readonly method?: string;
}

export interface Native {
  /** The time it is; tests set it. */
  now: Instant;
  /** Connects a site; the token of the URL. Without a secret where `null` is given. */
  connect(kind: NativeKind, site: number, secret?: string | null): Promise<string>;
  disconnect(kind: NativeKind, site: number): Promise<void>;
  /** Posts as the service would, rightly signed at the time it is unless told otherwise. */
  post(kind: NativeKind, token: string, message: Message, posting?: Posting): Promise<Answer>;
  integration(kind: NativeKind, site: number): Promise<NativeIntegration | undefined>;
}

const SECRETS = { stripe: STRIPE_SECRET, calendly: CALENDLY_KEY };
const HEADERS = { stripe: "Stripe-Signature", calendly: "Calendly-Webhook-Signature" };
const SIGN = { stripe: stripeSignature, calendly: calendlySignature };

interface Options {
  readonly visitors?: ReturnType<typeof visitorsOf>;
  readonly record?: RecordConversion;
}

/** The native function on a real engine, called as the gateway calls it. */
export function startNative(engine: Engine, { visitors = visitorsOf({}), record }: Options = {}): Native {
  const { dynamo, tables } = engine;
  const secrets = memorySecretBox();
  const config = { dynamo, table: tables.Config };
  const clock = () => native.now;
  const recordHere = recorderOver({
    dynamo,
    facts: factLogOf(engine),
    tables: { identity: tables.Identity, deliveries: tables.Deliveries },
    visitors,
    random: randomBytes,
    linkLookupMs: 0,
    wakeRelay: async () => {},
    wakeLinks: async () => {},
  });
  const handler = httpFunction(
    createNativeHandler({
      integrations: createNativeDirectory(dynamo, tables.Config),
      receive: createReceive({ record: record ?? recordHere, secrets, clock }),
      clock,
    }),
  );
  const native: Native = {
    now: NOON,
    async connect(kind, site, secret = SECRETS[kind]) {
      const integration = await createNativeIntegration(
        { ...config, secrets },
        { workspace: 1, site, kind, ...(secret === null ? {} : { signingSecret: secret }) },
        { now: native.now, random: randomBytes },
      );
      return secrets.open(integration.sealedToken, tokenContext(integration));
    },
    async disconnect(kind, site) {
      const integration = await native.integration(kind, site);
      if (integration) await deleteNativeIntegration(config, integration);
    },
    async post(kind, token, message, { signature, method = "POST" } = {}) {
      const bytes = toBytes(message);
      const header = signature ?? SIGN[kind](bytes.toString("utf8"), SECRETS[kind], native.now);
      const event = gatewayEvent(kind, token, bytes, { [HEADERS[kind]]: header }, method);
      const result = (await handler(event, {
        awsRequestId: "test",
      } as Context)) as APIGatewayProxyStructuredResultV2;
      return { status: result.statusCode ?? 0, body: JSON.parse(result.body ?? "null") };
    },
    integration: async (kind, site) =>
      (await listNativeIntegrations(config, site)).find((integration) => integration.kind === kind),
  };
  return native;
}

const toBytes = (message: Message): Buffer =>
  Buffer.from(
    typeof message === "string" || message instanceof Uint8Array ? message : JSON.stringify(message),
  );

function gatewayEvent(
  kind: string,
  token: string,
  body: Buffer,
  headers: Record<string, string>,
  method: string,
): APIGatewayProxyEventV2 {
  return {
    version: "2.0",
    routeKey: `POST /api/webhooks/${kind}/{token}`,
    rawPath: `/api/webhooks/${kind}/${token}`,
    rawQueryString: "",
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    pathParameters: { token },
    requestContext: {
      http: { method, path: "", protocol: "HTTP/1.1", sourceIp: "192.0.2.1", userAgent: "test" },
      requestId: "request",
    } as APIGatewayProxyEventV2["requestContext"],
    body: body.toString("base64"),
    isBase64Encoded: true,
  };
}
