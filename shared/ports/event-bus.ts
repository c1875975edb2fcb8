import type { ConversionAnnouncement } from "../domain/conversion/announcement";
import type { Instant } from "../domain/instant";

/** What the service announces to whoever listens. Add a kind here to publish it. */
export interface BusEvent {
  readonly type: "conversion.recorded" | "conversion.moved";
  readonly at: Instant;
  readonly detail: ConversionAnnouncement;
}

export interface EventBus {
  /** Publishes events, at least once each. Answers for each, in order, whether it was taken; throws when none was. */
  publish(events: readonly BusEvent[]): Promise<readonly boolean[]>;
}
