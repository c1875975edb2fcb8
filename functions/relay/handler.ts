import { announcementOf } from "../../shared/domain/conversion/announcement";
import type { ConversionEvent } from "../../shared/domain/conversion/event";
import { engagementOf } from "../../shared/domain/conversion/facts";
import { log } from "../../shared/lambda/log";
import type { QueueMessage } from "../../shared/lambda/queue";
import type { ConversionReader } from "../../shared/ports/conversions";
import type { EventBus } from "../../shared/ports/event-bus";
import type { FactSink } from "../../shared/ports/facts";
import { type Outbox, outboxEntrySchema } from "../../shared/ports/outbox";

interface Dependencies {
  readonly outbox: Outbox;
  readonly conversions: ConversionReader;
  readonly facts: FactSink;
  readonly bus: EventBus;
}

/**
 * Follows recorded conversions up: notes that their visits were no bounces, announces them on the event bus, and then
 * removes their outbox entries. At least once: a crash on the way does it all again, which facts fold away and listeners
 * tell by the event's id. Throws when a batch is to be tried again, or answers the ids of the messages that are.
 */
export function createRelay({ outbox, conversions, facts, bus }: Dependencies) {
  /** The event a message is about; null when there is nothing left to do about it. */
  async function load(message: QueueMessage): Promise<ConversionEvent | null> {
    const parsed = outboxEntrySchema.safeParse(message.body);
    if (!parsed.success) {
      log.error("dropped a message that is no outbox entry", { messageId: message.id });
      return null;
    }
    const entry = parsed.data;
    const [held, event] = await Promise.all([outbox.holds(entry), conversions.find(entry.site, entry.event)]);
    if (held && !event) await outbox.remove(entry); // The event was deleted since.
    return held ? event : null;
  }

  /** The messages that still ask for something, each with its event, and the ids of those that could not be read. */
  async function loadAll(messages: readonly QueueMessage[]) {
    const unread: string[] = [];
    const open: { id: string; event: ConversionEvent }[] = [];
    const results = await Promise.allSettled(messages.map(load));
    for (const [i, { id }] of messages.entries()) {
      const result = results[i];
      if (result?.status === "fulfilled" && result.value) open.push({ id, event: result.value });
      if (result?.status !== "rejected") continue;
      log.error("could not read a recorded conversion", { messageId: id, error: result.reason });
      unread.push(id);
    }
    return { open, unread };
  }

  return async (messages: readonly QueueMessage[]): Promise<readonly string[]> => {
    const { open, unread } = await loadAll(messages);
    const events = [...new Map(open.map(({ event }) => [event.id, event])).values()];

    for (const [site, some] of Map.groupBy(events, (event) => event.site)) {
      const engagements = some.map(engagementOf).filter((fact) => fact !== null);
      if (engagements.length > 0) await facts.append(site, engagements);
    }
    const taken = await bus.publish(
      events.map((event) => ({ type: "conversion.recorded", at: event.at, detail: announcementOf(event) })),
    );
    const announced = events.filter((_, i) => taken[i]);
    await Promise.all(announced.map(({ site, id }) => outbox.remove({ site, event: id })));
    const done = new Set(announced.map(({ id }) => id));
    return [...unread, ...open.filter(({ event }) => !done.has(event.id)).map(({ id }) => id)];
  };
}
