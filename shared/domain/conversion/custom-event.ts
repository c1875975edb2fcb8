import { createHash } from "node:crypto";
import type { Instant } from "../instant";

/** A custom event's name, offered wherever a custom event is chosen. */
export interface CustomEvent {
  /** See {@link customEventId}. */
  readonly id: string;
  readonly name: string;
  readonly created: Instant;
  /** Ids of what names it: receiving webhooks, sending webhooks, groups of the form integration. */
  readonly usedBy: readonly string[];
}

/** `cev_...`, from the name: a name is registered once, and may hold characters that no address can. */
export const customEventId = (name: string): string =>
  `cev_${createHash("sha256").update(name).digest("hex").slice(0, 32)}`;
