import type { MatchedBy } from "../conversion/event";
import type { Instant } from "../instant";

/** What became of one delivery to a receiving webhook, as its card says it (contract: "Receiving webhook"). */
export const OUTCOMES = ["accepted", "deduped", "parse error", "oversized", "ignored"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Where the look-up of an existing e-mail stands (contract: "Existing-email link status"). */
export const LINK_STATUSES = ["linked", "pending", "not_found", "conflict", "ignored"] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

/** One line of a receiving webhook's "recent deliveries". */
export interface Receipt {
  /** `rct_...`, time-ordered; of an accepted delivery see {@link receiptIdOf}. */
  readonly id: string;
  readonly site: number;
  /** `whin_...`. */
  readonly webhook: string;
  readonly at: Instant;
  readonly outcome: Outcome;
  /** At most 2 KB, without secrets (see preview.ts). Holds personal data: it stays out of logs. */
  readonly preview: string;
  /** The event that counts: of a duplicate the first one. */
  readonly event: string | null;
  readonly matchedBy: MatchedBy | null;
  /** Null for a delivery that named no existing e-mail. */
  readonly link: LinkStatus | null;
}

/** What a delivery brings to the receipt that is written with its event. */
export interface ReceiptDraft {
  readonly preview: string;
}

/** The receipt of the delivery an event was accepted from: whoever knows the event finds its receipt. */
export const receiptIdOf = (event: string): string => event.replace("evt_", "rct_");

/** What the delivery's line says of its existing e-mail. */
export const LINK_LINES: Readonly<Record<LinkStatus, string>> = {
  linked: "Linked to the existing email",
  pending: "Looking for the existing email",
  not_found: "Existing email not found",
  conflict: "Paid email belongs to another person",
  ignored: "Existing email ignored",
};

/** How many receipts a webhook shows, and how many to a page (contract: "Limits"). */
export const SHOWN = 25;
export const PER_PAGE = 5;
