import { eventually, type Running, startFixture } from "./support";

let service: Running;
const denials: string[] = [];
beforeAll(async () => {
  service = await startFixture({ report: (line) => denials.push(line) });
});
afterAll(() => service.close());

/** Lets the fixture's `Caller` make a call with its own role. */
async function call(
  from: string,
  command: string,
  input: unknown,
): Promise<{ output?: unknown; error?: string; message?: string }> {
  const outcome = await service.invoke("Caller", { service: from, command, input });
  if (!outcome.ok) throw new Error(outcome.error.errorMessage);
  return outcome.payload as { output?: unknown; error?: string; message?: string };
}

const key = { pk: { S: "a" }, sk: { S: "b" } };
const seen = () => ({ TableName: service.named("Seen") });

test("what the role grants works, bytes unchanged", async () => {
  const Item = { ...key, text: { S: 'ü "quoted" \u2028' } };
  await call("dynamodb", "PutItem", { ...seen(), Item });
  await expect(call("dynamodb", "GetItem", { ...seen(), Key: key })).resolves.toEqual({ output: { Item } });
});

test("an error of the engine reaches the caller as its own", async () => {
  const put = { ...seen(), Item: key, ConditionExpression: "attribute_exists(nothing)" };
  await expect(call("dynamodb", "PutItem", put)).resolves.toMatchObject({
    error: "ConditionalCheckFailedException",
  });
});

test.each([
  ["an action that is not granted", "DeleteItem", () => ({ ...seen(), Key: key }), "dynamodb:DeleteItem"],
  [
    "another table",
    "GetItem",
    () => ({ TableName: service.named("Forbidden"), Key: { pk: key.pk } }),
    "dynamodb:GetItem",
  ],
  [
    "an index",
    "Query",
    () => ({
      ...seen(),
      IndexName: "due",
      KeyConditionExpression: "due_pk = :d",
      ExpressionAttributeValues: { ":d": key.pk },
    }),
    "dynamodb:Query",
  ],
  [
    "a batch",
    "BatchGetItem",
    () => ({ RequestItems: { [service.named("Seen")]: { Keys: [key] } } }),
    "dynamodb:BatchGetItem",
  ],
  [
    "one item of a transaction",
    "TransactWriteItems",
    () => ({
      TransactItems: [
        { Put: { ...seen(), Item: { ...key, sk: { S: "transaction" } } } },
        {
          Update: {
            ...seen(),
            Key: key,
            UpdateExpression: "SET a = :a",
            ExpressionAttributeValues: { ":a": key.pk },
          },
        },
      ],
    }),
    "dynamodb:UpdateItem",
  ],
  ["listing the tables", "ListTables", () => ({}), "dynamodb:ListTables"],
])("%s is denied as AWS denies it, and said", async (_, command, input, action) => {
  const answer = await call("dynamodb", command, input());
  expect(answer).toEqual({
    error: "AccessDeniedException",
    message: expect.stringMatching(
      `^User: arn:aws:sts::000000000000:assumed-role/\\S+/${service.named("Caller")} is not authorized to perform: ${action} on resource: arn:aws:dynamodb:`,
    ),
  });
  expect(denials.at(-1)).toBe(answer.message);
});

test("a transaction of granted actions goes through", async () => {
  const TransactItems = [
    { Put: { ...seen(), Item: { ...key, sk: { S: "t1" } } } },
    {
      ConditionCheck: {
        ...seen(),
        Key: { ...key, sk: { S: "t2" } },
        ConditionExpression: "attribute_not_exists(pk)",
      },
    },
  ];
  await expect(call("dynamodb", "TransactWriteItems", { TransactItems })).resolves.toEqual({ output: {} });
});

test("a queue is written to by the URL the template gives, another is denied", async () => {
  const url = (id: string) => `${service.awsUrl}/000000000000/${service.named(id)}`;
  const sent = await call("sqs", "SendMessage", { QueueUrl: url("Jobs"), MessageBody: "x" });
  expect(sent).toMatchObject({ output: { MessageId: expect.any(String) } });
  const Entries = [{ Id: "1", MessageBody: "x" }];
  await expect(call("sqs", "SendMessageBatch", { QueueUrl: url("Jobs"), Entries })).resolves.toHaveProperty(
    "output",
  );
  await expect(
    call("sqs", "SendMessage", { QueueUrl: url("Copies"), MessageBody: "x" }),
  ).resolves.toMatchObject({
    error: "AccessDeniedException",
  });
});

test("an event reaches the targets of the rules it fits, on its bus alone", async () => {
  const EventBusName = service.named("Bus");
  const event = (total: number) => ({
    EventBusName,
    Source: "shop",
    DetailType: "sale",
    Detail: JSON.stringify({ total }),
  });
  const strange = [
    { ...event(60), Detail: "no json" },
    { ...event(70), Source: "elsewhere" },
  ];
  const put = (...Entries: object[]) => call("events", "PutEvents", { Entries });
  await expect(put(event(5), event(50), ...strange, event(99))).resolves.toMatchObject({
    output: { FailedEntryCount: 1, Entries: [{}, {}, { ErrorCode: "MalformedDetail" }, {}, {}] },
  });
  const copies: string[] = [];
  await eventually(async () => copies.push(...(await service.receive("Copies"))) >= 2);
  expect(copies.map((copy) => JSON.parse(copy))).toMatchObject([
    { source: "shop", "detail-type": "sale", detail: { total: 50 } },
    { detail: { total: 99 } },
  ]);
  await eventually(async () => (await service.seen("sale")).length === 2);
  await expect(put({ ...event(1), EventBusName: "default" })).resolves.toMatchObject({
    error: "AccessDeniedException",
  });
});

test("a caller with an unknown key gets nothing", async () => {
  const answered = await fetch(service.awsUrl, {
    method: "POST",
    headers: {
      "x-amz-target": "DynamoDB_20120810.ListTables",
      authorization: "AWS4-HMAC-SHA256 Credential=STRANGER/x",
    },
    body: "{}",
  });
  expect([answered.status, ((await answered.json()) as { __type: string }).__type]).toEqual([
    400,
    "com.amazon.coral.service#UnrecognizedClientException",
  ]);
});
