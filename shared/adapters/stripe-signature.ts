import Stripe from "stripe";
import type { SignatureCheck } from "../domain/native/signature";

/**
 * Stripe's scheme, checked by its own library: within its tolerance of 5 minutes, in constant time, and with any of the
 * signatures that are sent while a secret is rolled. (Of the library only this is bundled: infra/bundle.ts.)
 */
export const isSignedByStripe: SignatureCheck = ({ body, signature, secret, now }) => {
  const { signature: scheme, DEFAULT_TOLERANCE } = Stripe.webhooks;
  try {
    return scheme?.verifyHeader(body, signature, secret, DEFAULT_TOLERANCE, undefined, now) ?? false;
  } catch {
    // Its error for a wrong signature, and what it makes of headers that are none.
    return false;
  }
};
