import type { EventKind } from "../conversion/event-type";
import { readCalendly } from "./calendly";
import type { NativeKind } from "./kinds";
import type { NativeReader } from "./source";
import { readStripe } from "./stripe/read";

/** One service: what its messages are recorded as, how they are read, and what its signing secrets look like. */
export interface NativeSource {
  readonly event: EventKind;
  readonly read: NativeReader;
  readonly signingSecret: { readonly shape: RegExp; readonly hint: string };
}

/** Every service. A new one is a kind, a row here, and a verifier of its signatures (functions/native/verifiers.ts). */
export const NATIVE_SOURCES: Readonly<Record<NativeKind, NativeSource>> = {
  stripe: {
    event: { type: "Purchase", name: "Purchase" },
    read: readStripe,
    signingSecret: {
      shape: /^whsec_\S{4,194}$/,
      hint: "must be the signing secret of the webhook endpoint at Stripe, which begins with whsec_",
    },
  },
  calendly: {
    event: { type: "Schedule", name: "Schedule" },
    read: readCalendly,
    signingSecret: {
      shape: /^\S{8,200}$/,
      hint: "must be the signing key of the webhook subscription, 8 to 200 characters without spaces",
    },
  },
};
