import { doneMessages } from "../../infra/local/queues/batch";

const batch = ["a", "b", "c"].map((MessageId) => ({ MessageId }));
const ids = (payload: unknown, reports = true) =>
  doneMessages(batch, { ok: true, payload }, reports).map((message) => message.MessageId);

test.each([
  ["null", null],
  ["no list", {}],
  ["an empty list", { batchItemFailures: [] }],
  ["null for the list", { batchItemFailures: null }],
])("an answer of %s means that all are done", (_, payload) => expect(ids(payload)).toEqual(["a", "b", "c"]));

test("all but the failed ones are done", () => {
  expect(ids({ batchItemFailures: [{ itemIdentifier: "b" }] })).toEqual(["a", "c"]);
});

test.each([
  ["names a message that is not in the batch", { batchItemFailures: [{ itemIdentifier: "z" }] }],
  ["names nothing", { batchItemFailures: [{ itemIdentifier: "" }] }],
  ["has another key", { batchItemFailures: [{ id: "a" }] }],
  ["has no list", { batchItemFailures: "a" }],
  ["is text", "fine"],
])("an answer that %s fails the whole batch", (_, payload) => expect(ids(payload)).toEqual([]));

test("an error fails the whole batch", () => {
  expect(doneMessages(batch, { ok: false, error: { errorType: "E", errorMessage: "" } }, false)).toEqual([]);
});

test("a source that does not report failures has all done, whatever the answer says", () => {
  expect(ids({ batchItemFailures: [{ itemIdentifier: "b" }] }, false)).toEqual(["a", "b", "c"]);
});
