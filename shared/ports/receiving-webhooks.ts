import type { ReceivingWebhook } from "../domain/conversion/receiving-webhook";

/** Where receiving webhooks are looked up. */
export interface ReceivingWebhookDirectory {
  /** The webhook whose URL ends in `token`; null when there is none or it was deleted. Any string is a safe argument. */
  findByToken(token: string): Promise<ReceivingWebhook | null>;
}
