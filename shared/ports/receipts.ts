import type { Receipt } from "../domain/receipts/receipt";

/** Where deliveries to receiving webhooks are logged that have no event of their own; the others are part of the event's transaction. */
export interface ReceiptLog {
  write(receipt: Receipt): Promise<void>;
}

/** Where they are read. */
export interface ReceiptReader {
  /** A webhook's last {@link SHOWN} receipts, newest first. */
  latest(site: number, webhook: string): Promise<readonly Receipt[]>;
}
