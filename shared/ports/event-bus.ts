import type { ConversionRecorded } from "../domain/conversion/announcement";
import type { Instant } from "../domain/instant";

/** What the service announces to whoever listens. Add a kind here to publish it. */
export interface BusEvent {
  readonly type: "conversion.recorded";
  readonly at: Instant;
  readonly detail: ConversionRecorded;
}

export interface EventBus {
  /** Publishes events, at least once each. Answers for each, in order, whether it was taken; throws when none was. */
  publish(events: readonly BusEvent[]): Promise<readonly boolean[]>;
}
