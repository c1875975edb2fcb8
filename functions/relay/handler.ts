import { announcementOf } from "../../shared/domain/conversion/announcement";
import type { ConversionEvent } from "../../shared/domain/conversion/event";
import { log } from "../../shared/lambda/log";
import type { QueueMessage } from "../../shared/lambda/queue";
import type { ConversionReader } from "../../shared/ports/conversions";
import type { EventBus } from "../../shared/ports/event-bus";
import { type Outbox, type OutboxEntry, outboxEntrySchema } from "../../shared/ports/outbox";

interface Dependencies {
  readonly outbox: Outbox;
  readonly conversions: ConversionReader;
  readonly bus: EventBus;
}

interface Announcement {
  readonly message: QueueMessage;
  readonly entry: OutboxEntry;
  readonly event: ConversionEvent;
}

/**
 * Announces recorded conversions on the event bus, then removes their outbox entries: at least once, since a crash in
 * between announces again. Answers the ids of messages to try again. A message whose entry is gone is done already.
 */
export function createRelay({ outbox, conversions, bus }: Dependencies) {
  async function prepare(message: QueueMessage): Promise<Announcement | null> {
    const parsed = outboxEntrySchema.safeParse(message.body);
    if (!parsed.success) {
      log.error("dropped a message that is no outbox entry", { messageId: message.id });
      return null;
    }
    const entry = parsed.data;
    const [held, event] = await Promise.all([outbox.holds(entry), conversions.find(entry.site, entry.event)]);
    if (held && !event) await outbox.remove(entry); // The event was deleted since: nothing left to announce.
    return held && event ? { message, entry, event } : null;
  }

  return async (messages: readonly QueueMessage[]): Promise<readonly string[]> => {
    const failed = new Set<string>();
    const attempt = async <Result>(id: string, work: () => Promise<Result>): Promise<Result | null> => {
      try {
        return await work();
      } catch (error) {
        log.error("could not announce a conversion", { messageId: id, error: error as Error });
        failed.add(id);
        return null;
      }
    };
    const prepared = await Promise.all(
      messages.map((message) => attempt(message.id, () => prepare(message))),
    );
    const ready = prepared.filter((announcement) => announcement !== null);
    if (ready.length === 0) return [...failed];

    const taken = await bus.publish(
      ready.map(({ event }) => ({
        type: "conversion.recorded",
        at: event.at,
        detail: announcementOf(event),
      })),
    );
    await Promise.all(
      ready.map(({ message, entry }, i) => {
        if (taken[i]) return attempt(message.id, () => outbox.remove(entry));
        failed.add(message.id);
        return null;
      }),
    );
    return [...failed];
  };
}
