import fc from "fast-check";
import { createEvent } from "../../shared/domain/conversion/event";
import { readCalendly } from "../../shared/domain/native/calendly";
import { nativeEventId } from "../../shared/domain/native/source";
import { NATIVE_SOURCES } from "../../shared/domain/native/sources";
import { calendlyEvent, INVITEE, NOON } from "./builders";

const usual = { countFirstInvoices: false };

function bookingIn(message: unknown) {
  const told = readCalendly(message, usual);
  if (!("conversion" in told)) throw new Error(JSON.stringify(told));
  return told.conversion;
}
const readingOf = (payload: object) => bookingIn(calendlyEvent({ ...payload })).reading;
const answers = (...pairs: [string, string][]) => ({
  questions_and_answers: pairs.map(([question, answer], position) => ({ question, answer, position })),
});

describe("a booking", () => {
  test("is told by whom, for what and when it was made", () => {
    const booking = bookingIn(calendlyEvent());
    expect(booking).toMatchObject({ name: INVITEE, at: NOON + 123 });
    expect(booking.reading).toMatchObject({
      contact: { email: "ann@example.com", phone: null, firstName: "Ann", lastName: "van Dale" },
      amount: null,
      currency: null,
      orderId: null,
      visitorId: null,
      properties: {
        meeting: "Intro call",
        starts: "2026-07-14T12:30:00.000000Z",
        timezone: "Europe/Berlin",
      },
    });
  });

  test("has the names asked for apart before the parts of the whole one", () => {
    const { contact } = readingOf({
      first_name: "Anna Maria",
      last_name: "van Dale",
      name: "Anna Maria van Dale",
    });
    expect(contact).toMatchObject({ firstName: "Anna Maria", lastName: "van Dale" });
  });

  test("has its tracking parameters and answers as properties, what was not given left out", () => {
    const tracking = { utm_source: "news", utm_medium: null, salesforce_uuid: "" };
    const { properties } = readingOf({
      tracking,
      ...answers(["How many people?", "12"], ["__proto__", "x"]),
    });
    expect(properties).toMatchObject({ utm_source: "news", "How many people?": "12" });
    expect(properties).not.toHaveProperty("utm_medium");
    expect(properties).not.toHaveProperty("salesforce_uuid");
    expect(Object.getPrototypeOf(properties)).toBe(Object.prototype);
  });

  test.each([
    ["a tracking field", { tracking: { tm_evid: "visitor-1" } }],
    ["an answer", answers(["tm_evid", "visitor-1"])],
    ["an answer to the name in words", answers(["Visitor ID", "visitor-1"])],
    ["an answer in capitals", answers(["EVID", "visitor-1"])],
  ])("is matched by %s named like a visitor id, which is no property then", (_, fields) => {
    const reading = readingOf(fields);
    expect(reading.visitorId).toBe("visitor-1");
    expect(JSON.stringify(reading.properties)).not.toContain("visitor-1");
  });

  test("carries a click id", () => {
    const reading = readingOf({ tracking: { gclid: "click-1" } });
    expect(JSON.stringify(reading)).toContain("click-1");
    expect(reading.properties).not.toHaveProperty("gclid");
  });

  test.each([
    [
      "the number for reminders",
      { text_reminder_number: "+49 30 123456", ...answers(["Phone", "+1 555 0100"]) },
    ],
    [
      "the number to call",
      { scheduled_event: { location: { type: "outbound_call", location: "+49 30 123456" } } },
    ],
    ["an answer to a question for it", answers(["Your phone number?", "+49 30 123456"])],
  ])("has as its phone %s", (_, fields) => {
    expect(readingOf(fields).contact.phone).toBe("+49 30 123456");
  });

  test("has no phone of answers that are none, and no amount of what was typed", () => {
    const reading = readingOf(answers(["Which phone do you have?", "A Fairphone 5"], ["value", "1000000"]));
    expect(reading).toMatchObject({ contact: { phone: null }, amount: null });
    expect(reading.properties).toMatchObject({ "Which phone do you have?": "A Fairphone 5" });
  });

  test("that was paid tells how much, and is no purchase", () => {
    const payment = {
      amount: 50,
      currency: "USD",
      external_id: "ch_1",
      provider: "stripe",
      successful: true,
    };
    expect(readingOf({ payment })).toMatchObject({
      amount: null,
      properties: { payment_amount: 50, payment_currency: "USD" },
    });
  });

  test("has one id, and another invitee another", () => {
    const id = (uri: string) => nativeEventId("calendly", 1, bookingIn(calendlyEvent({ uri })));
    expect(id(INVITEE)).toBe(id(INVITEE));
    expect(id(INVITEE)).not.toBe(id(`${INVITEE}B`));
    expect(nativeEventId("stripe", 1, bookingIn(calendlyEvent()))).not.toBe(id(INVITEE));
  });
});

describe("what is no new booking", () => {
  test("one moved to another time was counted before", () => {
    const moved = calendlyEvent({ uri: `${INVITEE}2`, old_invitee: INVITEE });
    expect(readCalendly(moved, usual)).toEqual({ ignored: expect.stringContaining("moved") });
  });

  test.each(["invitee.canceled", "invitee_no_show.created", "routing_form_submission.created"])(
    "%s",
    (event) => {
      expect(readCalendly(calendlyEvent({}, event), usual)).toEqual({
        ignored: expect.stringContaining(event),
      });
    },
  );

  test.each([
    [null],
    [[]],
    [{}],
    [{ event: 1 }],
    [{ event: "invitee.created" }],
    [{ event: "invitee.created", payload: [] }],
    [calendlyEvent({ uri: null })],
    [calendlyEvent({ uri: "" })],
  ])("%j is a problem", (message) => {
    expect(readCalendly(message, usual)).toEqual({ problem: expect.any(String) });
  });

  test("any fields of any kind around a uri are read as far as they can be", () => {
    const keys = Object.keys(calendlyEvent().payload);
    const entry = fc.oneof(fc.jsonValue(), fc.record({ question: fc.string(), answer: fc.string() }));
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()),
        fc.array(entry),
        (fields, questions_and_answers) => {
          const told = readCalendly(calendlyEvent({ ...fields, questions_and_answers, uri: INVITEE }), usual);
          if (!("conversion" in told)) return;
          const { event: kind } = NATIVE_SOURCES.calendly;
          const { reading } = told.conversion;
          const parts = {
            site: 1,
            kind,
            at: NOON,
            source: "calendly",
            via: "nint_1",
            reading,
            match: null,
            link: null,
          } as const;
          expect(createEvent("evt_1", parts).value).toBeNull();
        },
      ),
    );
    fc.assert(fc.property(fc.jsonValue(), (message) => expect(readCalendly(message, usual)).toBeTruthy()));
  });
});
