import { announcementOf } from "../../shared/domain/conversion/announcement";
import type { ConversionEvent } from "../../shared/domain/conversion/event";
import { engagementOf } from "../../shared/domain/conversion/facts";
import { log } from "../../shared/lambda/log";
import type { QueueMessage } from "../../shared/lambda/queue";
import type { ConversionReader } from "../../shared/ports/conversions";
import type { EventBus } from "../../shared/ports/event-bus";
import type { FactSink } from "../../shared/ports/facts";
import { type Outbox, type OutboxEntry, outboxEntrySchema } from "../../shared/ports/outbox";

interface Dependencies {
  readonly outbox: Outbox;
  readonly conversions: ConversionReader;
  readonly facts: FactSink;
  readonly bus: EventBus;
}

/** A version of an event that is to be announced, and the event as it is now. */
interface Announced {
  readonly entry: OutboxEntry;
  readonly event: ConversionEvent;
}

/**
 * Follows recorded conversions up: notes that their visits were no bounces, announces them on the event bus, and then
 * removes their outbox entries. At least once: a crash on the way does it all again, which facts fold away and listeners
 * tell by the event's id. Throws when a batch is to be tried again, or answers the ids of the messages that are.
 */
export function createRelay({ outbox, conversions, facts, bus }: Dependencies) {
  /** What a message is about; null when there is nothing left to do about it. */
  async function load(message: QueueMessage): Promise<Announced | null> {
    const parsed = outboxEntrySchema.safeParse(message.body);
    if (!parsed.success) {
      log.error("dropped a message that is no outbox entry", { messageId: message.id });
      return null;
    }
    const entry = parsed.data;
    const [held, event] = await Promise.all([outbox.holds(entry), conversions.find(entry.site, entry.event)]);
    if (held && !event) await outbox.remove(entry); // The event was deleted since.
    return held && event ? { entry, event } : null;
  }

  /** The messages that still ask for something, each with its event, and the ids of those that could not be read. */
  async function loadAll(messages: readonly QueueMessage[]) {
    const unread: string[] = [];
    const open: (Announced & { id: string })[] = [];
    const results = await Promise.allSettled(messages.map(load));
    for (const [i, { id }] of messages.entries()) {
      const result = results[i];
      if (result?.status === "fulfilled" && result.value) open.push({ id, ...result.value });
      if (result?.status !== "rejected") continue;
      log.error("could not read a recorded conversion", { messageId: id, error: result.reason });
      unread.push(id);
    }
    return { open, unread };
  }

  return async (messages: readonly QueueMessage[]): Promise<readonly string[]> => {
    const { open, unread } = await loadAll(messages);
    const news = [...new Map(open.map((one) => [nameOf(one), one])).values()];

    for (const [site, some] of Map.groupBy(news, ({ event }) => event.site)) {
      const engagements = some.map(({ event }) => engagementOf(event)).filter((fact) => fact !== null);
      if (engagements.length > 0) await facts.append(site, engagements);
    }
    const taken = await bus.publish(
      news.map(({ entry, event }) => ({
        type: entry.version === 1 ? "conversion.recorded" : "conversion.moved",
        at: event.at,
        detail: announcementOf(event),
      })),
    );
    const announced = news.filter((_, i) => taken[i]);
    await Promise.all(announced.map(({ entry }) => outbox.remove(entry)));
    const done = new Set(announced.map(nameOf));
    return [...unread, ...open.filter((one) => !done.has(nameOf(one))).map(({ id }) => id)];
  };
}

const nameOf = ({ entry }: Announced): string => `${entry.event} ${entry.version}`;
