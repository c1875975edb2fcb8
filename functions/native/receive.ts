import type { RecordConversion } from "../../shared/application/record-conversion";
import type { MatchedBy } from "../../shared/domain/conversion/event";
import {
  type NativeIntegration,
  type NativeOutcome,
  secretContext,
} from "../../shared/domain/native/integration";
import { conversionTime, nativeEventId } from "../../shared/domain/native/source";
import { NATIVE_SOURCES } from "../../shared/domain/native/sources";
import type { HttpRequest } from "../../shared/lambda/http";
import type { Clock } from "../../shared/ports/clock";
import type { SecretBox } from "../../shared/ports/secret-box";
import { VERIFIERS } from "./verifiers";

interface Dependencies {
  readonly record: RecordConversion;
  readonly secrets: Pick<SecretBox, "open">;
  readonly clock: Clock;
}

/** What became of a message. */
export interface Received {
  readonly outcome: NativeOutcome;
  /** Why, where the outcome does not say it all. */
  readonly reason?: string;
  readonly event?: string;
  readonly matchedBy?: MatchedBy | null;
}

type Message = Pick<HttpRequest, "headers" | "body">;
export type Receive = (integration: NativeIntegration, message: Message) => Promise<Received>;

/** Checks the signature, reads the message, records what it tells of. */
export const createReceive =
  ({ record, secrets, clock }: Dependencies): Receive =>
  async (integration, { headers, body }) => {
    const { kind, site, id: via, sealedSecret } = integration;
    const now = clock();
    if (sealedSecret === null) {
      return { outcome: "bad signature", reason: "The integration has no signing secret yet: enter it." };
    }
    const { header, isRight } = VERIFIERS[kind];
    const secret = await secrets.open(sealedSecret, secretContext(integration));
    if (!isRight({ body, signature: headers[header] ?? "", secret, now }))
      return { outcome: "bad signature" };

    const message = parse(body);
    if (message === undefined) return { outcome: "parse error", reason: "The body is not JSON in UTF-8." };
    const { read, event } = NATIVE_SOURCES[kind];
    const told = read(message, integration);
    if ("ignored" in told) return { outcome: "ignored", reason: told.ignored };
    if ("problem" in told) return { outcome: "parse error", reason: told.problem };

    const { conversion } = told;
    return record({
      site,
      kind: event,
      source: kind,
      via,
      reading: conversion.reading,
      at: conversionTime(conversion.at, now),
      id: nativeEventId(kind, site, conversion),
    });
  };

/** The JSON of `body`; undefined when it is none. */
function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
