import type { ConversionType } from "../analytics/fact";

const STANDARD_TYPES = ["Lead", "Schedule", "Purchase"] as const;
type StandardType = (typeof STANDARD_TYPES)[number];

/** What kind of event something is. `name` equals the type for standard events (contract: "Events"). */
export interface EventKind {
  readonly type: ConversionType;
  readonly name: string;
}

const MAX_NAME = 100;

/**
 * The kind of event a webhook of this event type records: a standard type by its exact name, else a custom name.
 * Null for an empty or overlong name, one with control characters, and one that differs from a standard type only in
 * case or surrounding space (it would be taken for it).
 */
export function eventKind(eventType: string): EventKind | null {
  const standard = STANDARD_TYPES.find((type): type is StandardType => type === eventType);
  if (standard) return { type: standard, name: standard };
  const name = eventType.trim().normalize("NFC");
  const looksStandard = [...STANDARD_TYPES, "Custom"].some(
    (type) => type.toLowerCase() === name.toLowerCase(),
  );
  if (name === "" || name.length > MAX_NAME || /\p{Cc}/u.test(name) || looksStandard) return null;
  return { type: "Custom", name: name.toWellFormed() };
}
