import { eventually, type Running, startFixture } from "./support";

let service: Running;
beforeAll(async () => {
  service = await startFixture();
});
afterAll(() => service.close());

type Batch = { Records: { body: string; messageId: string; attributes: Record<string, string> }[] };
const bodies = (batches: Batch[]) => batches.map((batch) => batch.Records.map((record) => record.body));
/** The batches seen so far that hold a message like this. */
const batchesOf = async (body: RegExp): Promise<Batch[]> =>
  (await service.seen("batch")).filter((batch: Batch) =>
    batch.Records.some((record) => body.test(record.body)),
  );

test("a message becomes the event Lambda gets from SQS", async () => {
  await service.send("Jobs", "hello");
  const [event] = await eventually(
    async () => (await batchesOf(/^hello$/)).length > 0 && (await batchesOf(/^hello$/)),
  );
  expect(event).toEqual({
    Records: [
      {
        messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        receiptHandle: expect.any(String),
        body: "hello",
        attributes: {
          ApproximateReceiveCount: "1",
          ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
          SentTimestamp: expect.stringMatching(/^\d{13}$/),
          SenderId: expect.any(String),
        },
        messageAttributes: {},
        md5OfBody: "5d41402abc4b2a76b9719d911017c592",
        eventSource: "aws:sqs",
        eventSourceARN: `arn:aws:sqs:eu-west-1:000000000000:${service.named("Jobs")}`,
        awsRegion: "eu-west-1",
      },
    ],
  });
});

test("a batching window collects what comes within it, up to the batch size", async () => {
  for (let i = 0; i < 27; i++) await service.send("Windowed", `m${i}`);
  const batches = await eventually(async () => {
    const all = await batchesOf(/^m\d+$/);
    return all.flatMap((batch) => batch.Records).length >= 27 && all;
  });
  expect(batches.map((batch) => batch.Records.length)).toEqual([25, 2]);
});

test("of a batch that failed in part, the failed messages alone come again, then go to the dead-letter queue", async () => {
  for (const body of ["good", "fail", "fine"]) await service.send("Windowed", body);
  await expect(eventually(async () => (await service.receive("Dead"))[0])).resolves.toBe("fail");
  const batches = await batchesOf(/^(good|fail)$/);
  expect(bodies(batches)).toEqual([["good", "fail", "fine"], ["fail"]]);
  expect(batches[1]?.Records[0]?.attributes.ApproximateReceiveCount).toBe("2");
});

test("when the function throws, the whole batch comes again", async () => {
  await service.send("Jobs", "throw");
  const batches = await eventually(
    async () => (await batchesOf(/^throw$/)).length >= 2 && (await batchesOf(/^throw$/)),
  );
  expect(bodies(batches)).toEqual([["throw"], ["throw"]]);
});

test("a delayed message is not seen before its time", async () => {
  const sentAt = Date.now();
  await service.send("Jobs", "later", 1);
  await eventually(async () => (await batchesOf(/^later$/)).length > 0);
  expect(Date.now() - sentAt).toBeGreaterThanOrEqual(1000);
});
