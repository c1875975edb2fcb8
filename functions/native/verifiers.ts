import { isSignedByStripe } from "../../shared/adapters/stripe-signature";
import { isSignedByCalendly } from "../../shared/domain/native/calendly-signature";
import type { NativeKind } from "../../shared/domain/native/kinds";
import type { SignatureCheck } from "../../shared/domain/native/signature";

/** Where a service puts its signature, and how it is checked. */
export interface Verifier {
  /** The header's name in lower case. */
  readonly header: string;
  readonly isRight: SignatureCheck;
}

export const VERIFIERS: Readonly<Record<NativeKind, Verifier>> = {
  stripe: { header: "stripe-signature", isRight: isSignedByStripe },
  calendly: { header: "calendly-webhook-signature", isRight: isSignedByCalendly },
};
