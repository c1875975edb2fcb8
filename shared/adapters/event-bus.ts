import { type EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import type { BusEvent, EventBus } from "../ports/event-bus";

/** `source` of every event of this service, for the rules of those who listen. */
const BUS_SOURCE = "attribution-analytics";

/** PutEvents takes at most this many. */
const BATCH = 10;

/** An EventBridge bus. An event it refuses (throttled, say) is answered false and may be published again. */
export function eventBridge(client: EventBridgeClient, busName: string): EventBus {
  async function put(events: readonly BusEvent[]): Promise<boolean[]> {
    const { Entries = [] } = await client.send(
      new PutEventsCommand({
        Entries: events.map(({ type, at, detail }) => ({
          EventBusName: busName,
          Source: BUS_SOURCE,
          DetailType: type,
          Time: new Date(at),
          Detail: JSON.stringify(detail),
        })),
      }),
    );
    return events.map((_, i) => Entries[i]?.EventId !== undefined && Entries[i]?.ErrorCode === undefined);
  }
  return {
    async publish(events) {
      const taken: boolean[] = [];
      for (let from = 0; from < events.length; from += BATCH) {
        taken.push(...(await put(events.slice(from, from + BATCH))));
      }
      return taken;
    },
  };
}
