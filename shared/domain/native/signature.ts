import type { Instant } from "../instant";

/** A message with what shows that it is its service's. */
export interface SignedMessage {
  /** The bytes as they were sent. */
  readonly body: Uint8Array;
  /** The value of the service's signature header; empty when there was none. */
  readonly signature: string;
  readonly secret: string;
  readonly now: Instant;
}

/** Whether a message was signed with the secret, lately. Never throws. */
export type SignatureCheck = (message: SignedMessage) => boolean;
