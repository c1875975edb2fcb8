import * as z from "zod";
import { clip } from "../clip";
import type { JsonObject, JsonValue } from "../conversion/json";
import { CLICK_ID, VISITOR_ID } from "../conversion/reading";
import type { Instant } from "../instant";
import { anything, asObject, contactOf, list, maybe, present, readFields } from "./fields";
import type { NativeReader } from "./source";

const envelope = z.object({ event: z.string(), payload: z.unknown() });

const answer = z.object({ question: z.string(), answer: z.string() });
type Answer = z.output<typeof answer>;

const invitee = z.object({
  uri: z.string().min(1).max(1_000),
  created_at: maybe(z.string()),
  old_invitee: maybe(z.string()),
  email: anything,
  name: anything,
  first_name: anything,
  last_name: anything,
  text_reminder_number: anything,
  timezone: anything,
  questions_and_answers: list(answer),
  tracking: anything,
  payment: maybe(z.object({ amount: anything, currency: anything })),
  scheduled_event: maybe(
    z.object({
      uri: anything,
      name: anything,
      start_time: anything,
      end_time: anything,
      event_type: anything,
      location: maybe(z.object({ type: maybe(z.string()), location: anything })),
    }),
  ),
});
type Invitee = z.output<typeof invitee>;

/**
 * A booking, as Calendly tells of it (README, "Calendly"). A booking moved to another time is a new invitee with an
 * `old_invitee`: it was counted when it was made.
 */
export const readCalendly: NativeReader = (message) => {
  const event = envelope.safeParse(message);
  if (!event.success) return { problem: "The body is not an event of Calendly." };
  if (event.data.event !== "invitee.created") {
    return { ignored: `Events of type ${clip(event.data.event, 100)} are no bookings.` };
  }
  const parsed = invitee.safeParse(event.data.payload);
  if (!parsed.success) return { problem: "The event holds no invitee that can be read." };
  const said = parsed.data;
  if (said.old_invitee !== null) {
    return { ignored: "The booking was moved to another time: it was counted when it was made." };
  }
  return { conversion: { name: said.uri, at: instant(said.created_at), reading: readInvitee(said) } };
};

function readInvitee(said: Invitee) {
  const { scheduled_event: meeting, questions_and_answers: answers } = said;
  const phone = phoneAnswer(answers);
  const read = readFields({
    ...present(asObject(said.tracking)),
    ...Object.fromEntries(answers.filter((one) => one !== phone).map(asField)),
  });
  const call = meeting?.location?.type === "outbound_call" ? meeting.location.location : null;
  return {
    ...read,
    contact: contactOf(
      {
        email: said.email,
        phone: said.text_reminder_number ?? call ?? phone?.answer ?? null,
        name: said.name,
        firstName: said.first_name,
        lastName: said.last_name,
      },
      read.contact,
    ),
    // What an invitee types is no amount.
    amount: null,
    currency: null,
    orderId: null,
    properties: { ...read.properties, ...meetingFacts(said) },
  };
}

const meetingFacts = ({ scheduled_event: meeting, timezone, payment }: Invitee): JsonObject =>
  present({
    meeting: meeting?.name ?? null,
    starts: meeting?.start_time ?? null,
    ends: meeting?.end_time ?? null,
    event_type: meeting?.event_type ?? null,
    scheduled_event: meeting?.uri ?? null,
    timezone,
    payment_amount: payment?.amount ?? null,
    payment_currency: payment?.currency ?? null,
  });

const IDENTIFIERS = new Set([...VISITOR_ID, ...CLICK_ID]);

/** An answer by its question; by the name of an identifier where the question is one, such as `Visitor ID`. */
function asField({ question, answer }: Answer): readonly [string, JsonValue] {
  const asName = question
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  return [IDENTIFIERS.has(asName) ? asName : question.trim(), answer];
}

const ASKS_FOR_PHONE = /phone|mobile|whats\s?app|telefon|tele?fono|téléphone|handynummer|\bcell\b/i;
const PHONE = /^\+?[\d\s()./-]{6,30}$/;

const phoneAnswer = (answers: readonly Answer[]): Answer | undefined =>
  answers.find(({ question, answer }) => ASKS_FOR_PHONE.test(question) && PHONE.test(answer.trim()));

function instant(text: string | null): Instant | null {
  const at = text === null || text.length > 40 ? Number.NaN : Date.parse(text);
  return Number.isFinite(at) && at > 0 ? at : null;
}
