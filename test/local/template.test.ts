import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { missingGrants } from "../../infra/local/template/grants";
import type { ServiceModel } from "../../infra/local/template/model";
import { readTemplate } from "../../infra/local/template/read";
import { synthesiseFixture } from "./fixture/stack";

const place = { region: "eu-west-1", baseUrl: "http://localhost:8787", awsUrl: "http://127.0.0.1:4000" };

describe("what the CDK synthesises", () => {
  let model: ServiceModel;
  beforeAll(() => {
    const fixture = synthesiseFixture();
    model = readTemplate(fixture.templateFile, place);
    fixture.remove();
  });
  const one = <Item extends { logicalId: string }>(items: readonly Item[], id: string) =>
    items.find((item) => new RegExp(`^${id}[0-9A-F]{8}$`).test(item.logicalId));

  test("becomes tables with keys, indexes and expiry", () => {
    expect(one(model.tables, "Seen")).toMatchObject({
      key: { partition: "pk", sort: "sk" },
      attributes: { pk: "S", sk: "S", due_pk: "S", due_at: "N" },
      indexes: [{ name: "due", key: { partition: "due_pk", sort: "due_at" }, projection: "KEYS_ONLY" }],
      ttlAttribute: "ttl",
    });
    expect(one(model.tables, "Forbidden")).not.toHaveProperty("ttlAttribute");
  });

  test("becomes queues with visibility and redrive to the dead-letter queue", () => {
    const dead = one(model.queues, "Dead");
    expect(one(model.queues, "Jobs")?.attributes).toEqual({
      VisibilityTimeout: "1",
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: dead?.arn, maxReceiveCount: 2 }),
    });
  });

  test("becomes functions with their code, limits, environment and the statements of their role", () => {
    const caller = one(model.functions, "Caller");
    const jobs = one(model.queues, "Jobs");
    expect(caller).toMatchObject({
      handler: "index.handler",
      timeoutMs: 5000,
      memoryMb: 256,
      environment: { JOBS_QUEUE_URL: `${place.awsUrl}/000000000000/${jobs?.name}` },
      codeDir: expect.stringMatching(/^\/.*asset\.[0-9a-f]+$/),
    });
    expect(caller?.statements).toContainEqual({
      effect: "Allow",
      actions: ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:ConditionCheckItem"],
      resources: [
        `arn:aws:dynamodb:eu-west-1:000000000000:table/${one(model.tables, "Seen")?.name}`,
        expect.any(String),
      ],
    });
    expect(one(model.functions, "Echo")?.environment.API_URL).toBe(place.baseUrl);
  });

  test("becomes routes with authorizer and limit, event sources, schedules and rules", () => {
    const echo = one(model.functions, "Echo")?.arn;
    expect(model.routes.find((route) => route.key === "GET /guarded/by-header")).toEqual({
      key: "GET /guarded/by-header",
      functionArn: echo,
      timeoutMs: 29_000,
      authorizer: {
        functionArn: one(model.functions, "Gate")?.arn,
        identitySources: ["$request.header.X-Gate"],
        simpleResponses: true,
      },
    });
    expect(model.sources).toContainEqual(
      expect.objectContaining({
        queueArn: one(model.queues, "Windowed")?.arn,
        functionArn: one(model.functions, "Worker2")?.arn,
        batchSize: 25,
        windowMs: 1000,
        reportsFailures: true,
      }),
    );
    const listener = one(model.functions, "Listener")?.arn;
    expect(model.schedules).toMatchObject([{ expression: "rate(1 minute)", functionArn: listener }]);
    expect(model.rules).toMatchObject([{ targetArns: [listener, one(model.queues, "Copies")?.arn] }]);
    expect(model.rules[0]?.busName).toBe(model.buses[0]?.name);
  });

  test("grants all it needs, and nothing in it is left out", () => {
    expect(missingGrants(model)).toEqual([]);
    expect(model.unplayed).toEqual([]);
  });

  test("is refused where a route's function does not let the gateway in, or a worker may not read its queue", () => {
    const functions = model.functions.map((fn) => ({ ...fn, invokers: [], statements: [] }));
    const missing = missingGrants({ ...model, functions }).join("\n");
    expect(missing).toMatch(
      /The route \$default may not call Echo\w+: it does not let apigateway\.amazonaws\.com in\./,
    );
    expect(missing).toMatch(/Worker\w+ works off arn:aws:sqs:\S+ but may not sqs:ReceiveMessage\./);
  });
});

/** CloudFormation's placeholders, written `<Name>` here because they look like JavaScript's. */
const placeholders = (text: string): string => text.replace(/<([^>]+)>/g, "$${$1}");

describe("a template by hand", () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "template-"));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const read = (template: object) => {
    const file = join(directory, "Hand.template.json");
    writeFileSync(file, JSON.stringify(template));
    return readTemplate(file, place);
  };
  /** What an expression resolves to, seen through a variable of a function. */
  const resolved = (expression: unknown, rest: object = {}) =>
    read({
      ...rest,
      Resources: {
        Queue: { Type: "AWS::SQS::Queue", Properties: { QueueName: "q" } },
        Fn: {
          Type: "AWS::Lambda::Function",
          Metadata: { "aws:asset:path": "code" },
          Properties: {
            Handler: "index.handler",
            Role: "arn:aws:iam::000000000000:role/R",
            Code: {},
            Environment: { Variables: { VALUE: expression } },
          },
        },
      },
    }).functions[0]?.environment.VALUE;

  test.each([
    ["a literal", "x", "x"],
    ["a number", 7, "7"],
    ["Ref of a queue", { Ref: "Queue" }, `${place.awsUrl}/000000000000/q`],
    ["Ref of a pseudo parameter", { Ref: "AWS::Region" }, "eu-west-1"],
    ["GetAtt", { "Fn::GetAtt": ["Queue", "Arn"] }, "arn:aws:sqs:eu-west-1:000000000000:q"],
    ["GetAtt with a dot", { "Fn::GetAtt": "Queue.QueueName" }, "q"],
    ["Join", { "Fn::Join": ["-", ["a", { Ref: "AWS::Partition" }, "b"]] }, "a-aws-b"],
    [
      "Sub",
      { "Fn::Sub": placeholders("<AWS::Region>/<Queue.Arn>/<!Literal>") },
      placeholders("eu-west-1/arn:aws:sqs:eu-west-1:000000000000:q/<Literal>"),
    ],
    [
      "Sub with variables",
      { "Fn::Sub": [placeholders("<a><AWS::Partition>"), { a: { Ref: "AWS::Region" } }] },
      "eu-west-1aws",
    ],
    ["Select of Split", { "Fn::Select": [1, { "Fn::Split": [":", "a:b:c"] }] }, "b"],
    [
      "an intrinsic in an intrinsic",
      { "Fn::Select": [5, { "Fn::Split": [":", { "Fn::GetAtt": ["Queue", "Arn"] }] }] },
      "q",
    ],
  ])("resolves %s", (_, expression, value) => expect(resolved(expression)).toBe(value));

  test("resolves conditions, mappings and parameters", () => {
    const rest = {
      Parameters: { Stage: { Type: "String", Default: "test" } },
      Mappings: { Sizes: { test: { size: "small" } } },
      Conditions: {
        IsTest: { "Fn::Equals": [{ Ref: "Stage" }, "test"] },
        Not: { "Fn::Not": [{ Condition: "IsTest" }] },
      },
    };
    expect(resolved({ "Fn::If": ["IsTest", "yes", "no"] }, rest)).toBe("yes");
    expect(resolved({ "Fn::If": ["Not", "yes", { Ref: "AWS::NoValue" }] }, rest)).toBeUndefined();
    expect(resolved({ "Fn::FindInMap": ["Sizes", { Ref: "Stage" }, "size"] }, rest)).toBe("small");
  });

  test.each([
    [
      "a reference to nothing",
      { Ref: "Nobody" },
      /Fn \(AWS::Lambda::Function\) cannot run locally: .*refers to Nobody/,
    ],
    ["an attribute that is not known", { "Fn::GetAtt": ["Queue", "Colour"] }, /asks for Queue\.Colour/],
    ["an intrinsic that is not known", { "Fn::ImportValue": "x" }, /uses Fn::ImportValue/],
  ])("says %s, and where", (_, expression, said) => expect(() => resolved(expression)).toThrow(said));

  test("finds code by the manifest of assets where there is no metadata", () => {
    writeFileSync(
      join(directory, "Hand.assets.json"),
      JSON.stringify({ files: { abc: { source: { path: "asset.abc", packaging: "zip" } } } }),
    );
    const Properties = { Handler: "index.handler", Role: "r", Code: { S3Key: "abc.zip" } };
    const { functions } = read({ Resources: { Fn: { Type: "AWS::Lambda::Function", Properties } } });
    expect(functions[0]?.codeDir).toBe(resolve(directory, "asset.abc"));
  });

  test("tells of every resource that is not played", () => {
    const Resources = { Stream: { Type: "AWS::Kinesis::Stream" }, Alarm: { Type: "AWS::CloudWatch::Alarm" } };
    expect(read({ Resources }).unplayed).toEqual([{ logicalId: "Stream", type: "AWS::Kinesis::Stream" }]);
  });

  test("refuses an authorizer whose results would be cached: revoking a key must take effect at once", () => {
    const Properties = {
      AuthorizerType: "REQUEST",
      AuthorizerUri: "x",
      AuthorizerPayloadFormatVersion: "2.0",
      AuthorizerResultTtlInSeconds: 300,
    };
    expect(() => read({ Resources: { A: { Type: "AWS::ApiGatewayV2::Authorizer", Properties } } })).toThrow(
      /cached/,
    );
  });

  test("an allowance under a condition is not taken for granted", () => {
    const statement = { Effect: "Allow", Action: "s3:*", Resource: "*", Condition: { Bool: { x: "true" } } };
    const { functions } = read({
      Resources: {
        R: {
          Type: "AWS::IAM::Role",
          Properties: { Policies: [{ PolicyDocument: { Statement: [statement] } }] },
        },
        Fn: {
          Type: "AWS::Lambda::Function",
          Metadata: { "aws:asset:path": "code" },
          Properties: { Handler: "index.handler", Role: { "Fn::GetAtt": ["R", "Arn"] }, Code: {} },
        },
      },
    });
    expect(functions[0]?.statements).toEqual([]);
  });
});
