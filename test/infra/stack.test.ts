import { FUNCTIONS, type FunctionSpec, GATEWAY_TIMEOUT_SECONDS, QUEUES } from "../../infra/manifest";
import { TABLES } from "../../shared/storage/tables";
import { type Json, synthesise } from "./synthesis";

const { resources, ofType, properties } = synthesise();

const capital = (name: string): string => name[0]?.toUpperCase() + name.slice(1);
const functionId = (name: string): string => `${capital(name)}Function`;

describe("tables", () => {
  it.each(Object.entries(TABLES))("%s is on demand, encrypted, recoverable and outlives the stack", (id) => {
    expect(resources[`${id}Table`]).toMatchObject({
      Type: "AWS::DynamoDB::Table",
      DeletionPolicy: "Retain",
      Properties: {
        BillingMode: "PAY_PER_REQUEST",
        SSESpecification: { SSEEnabled: true },
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        DeletionProtectionEnabled: true,
      },
    });
  });

  it.each(Object.entries(TABLES))("%s has the expiry and the index its description gives it", (id, spec) => {
    const table = properties(`${id}Table`);
    expect(table.TimeToLiveSpecification).toEqual(
      spec.ttl ? { AttributeName: "ttl", Enabled: true } : undefined,
    );
    expect(table.GlobalSecondaryIndexes).toEqual(
      spec.dueIndex
        ? [
            {
              IndexName: "due",
              KeySchema: [
                { AttributeName: "due_pk", KeyType: "HASH" },
                { AttributeName: "due_at", KeyType: "RANGE" },
              ],
              Projection: { ProjectionType: "KEYS_ONLY" },
            },
          ]
        : undefined,
    );
  });
});

describe("the key of secrets", () => {
  it("is renewed by itself, outlives the stack, and each role may do with it what the manifest says", () => {
    expect(resources.SecretsKey).toMatchObject({
      DeletionPolicy: "Retain",
      Properties: { EnableKeyRotation: true },
    });
    const action = { seal: "kms:Encrypt", open: "kms:Decrypt" };
    for (const [name, { secrets }] of specs()) {
      const granted = statementsAbout(`${functionId(name)}Role`, "SecretsKey");
      const actions = secrets?.map((one) => action[one]);
      expect(granted).toEqual(
        actions
          ? [
              {
                Effect: "Allow",
                Action: actions.length === 1 ? actions[0] : actions,
                Resource: { "Fn::GetAtt": ["SecretsKey", "Arn"] },
              },
            ]
          : [],
      );
    }
    expect(specs().some(([, spec]) => spec.secrets)).toBe(true);
  });
});

describe("queues", () => {
  it.each(Object.entries(QUEUES))("%s gives failed messages to its dead-letter queue", (id, spec) => {
    expect(properties(`${id}Queue`).RedrivePolicy).toEqual({
      deadLetterTargetArn: { "Fn::GetAtt": [`${id}QueueDeadLetters`, "Arn"] },
      maxReceiveCount: spec.maxReceives,
    });
    expect(resources[`${id}QueueDeadLetters`]?.Type).toBe("AWS::SQS::Queue");
  });

  it.each(Object.entries(QUEUES))("%s wakes somebody, who reads what customers see", (id, spec) => {
    const wake = { AlarmActions: [{ Ref: "AlarmTopic" }], TreatMissingData: "notBreaching" };
    expect(properties(`${id}QueueGivenUpAlarm`)).toMatchObject({
      ...wake,
      AlarmDescription: spec.whenGivenUp,
      Dimensions: [{ Value: { "Fn::GetAtt": [`${id}QueueDeadLetters`, "QueueName"] } }],
    });
    expect(properties(`${id}QueueLateAlarm`)).toMatchObject({ ...wake, AlarmDescription: spec.whenLate });
  });

  it("hide a message for six times as long as its worker may take", () => {
    for (const [, { Properties: mapping }] of ofType("AWS::Lambda::EventSourceMapping")) {
      const worker = properties(target(mapping.FunctionName));
      const queue = properties(target(mapping.EventSourceArn));
      expect(queue.VisibilityTimeout).toBeGreaterThanOrEqual(6 * Number(worker.Timeout));
    }
    expect(ofType("AWS::Lambda::EventSourceMapping")).toHaveLength(Object.keys(QUEUES).length);
  });

  it("are worked off with partial batch failures", () => {
    for (const [, { Properties }] of ofType("AWS::Lambda::EventSourceMapping")) {
      expect(Properties.FunctionResponseTypes).toEqual(["ReportBatchItemFailures"]);
    }
  });
});

describe("the HTTP API", () => {
  const authorizer = { AuthorizationType: "CUSTOM", AuthorizerId: { Ref: "ApiAuthorizer" } };

  it("asks the authorizer on every request, with or without a header, and remembers no answer", () => {
    expect(properties("ApiAuthorizer")).toMatchObject({
      AuthorizerType: "REQUEST",
      AuthorizerPayloadFormatVersion: "2.0",
      EnableSimpleResponses: true,
      IdentitySource: [],
      AuthorizerResultTtlInSeconds: 0,
    });
  });

  it("has every route of the manifest, behind the authorizer where the manifest says so, and no other", () => {
    const integrations = new Map(
      ofType("AWS::ApiGatewayV2::Integration").map(([id, { Properties }]) => [
        id,
        target(Properties.IntegrationUri),
      ]),
    );
    const actual = ofType("AWS::ApiGatewayV2::Route").map(([, { Properties: route }]) => ({
      route: route.RouteKey,
      function: integrations.get(target(route.Target)),
      authorized: route.AuthorizationType !== "NONE",
    }));
    const expected = specs().flatMap(([name, { routes = [], authorized = false }]) =>
      routes.map((route) => ({ route, function: functionId(name), authorized })),
    );
    expect(actual.sort(byRoute)).toEqual(expected.sort(byRoute));
    const guarded = ofType("AWS::ApiGatewayV2::Route").filter(([, route]) => route.Properties.AuthorizerId);
    for (const [, route] of guarded) expect(route.Properties).toMatchObject(authorizer);
  });

  it("has all of /v1 behind the authorizer", () => {
    for (const [, { Properties: route }] of ofType("AWS::ApiGatewayV2::Route")) {
      if (String(route.RouteKey).includes(" /v1/")) expect(route).toMatchObject(authorizer);
    }
  });

  it("waits longer than any of its functions, whose own answer comes first", () => {
    const routed = specs().filter(([, spec]) => spec.routes);
    for (const [name] of routed) {
      expect(properties(functionId(name)).Timeout).toBeLessThan(GATEWAY_TIMEOUT_SECONDS);
    }
    for (const [, { Properties }] of ofType("AWS::ApiGatewayV2::Integration")) {
      expect(Properties.TimeoutInMillis).toBe(GATEWAY_TIMEOUT_SECONDS * 1000);
    }
  });

  it("logs neither addresses nor paths, which hold the secrets of webhooks", () => {
    const { Format: format } = properties("ApiStage").AccessLogSettings as { Format: string };
    expect(format).toContain("$context.routeKey");
    expect(format).not.toMatch(/sourceIp|\.path|userAgent|authorizer\.(?!error)|\.query/i);
  });

  it("leaves cross-origin answers to the functions", () => {
    expect(properties("Api").CorsConfiguration).toBeUndefined();
  });
});

describe("functions", () => {
  it("run on Node 24 on arm64 and keep their logs for a while, in a group of their own", () => {
    for (const [id, { Properties }] of ofType("AWS::Lambda::Function")) {
      expect(Properties).toMatchObject({
        Runtime: "nodejs24.x",
        Architectures: ["arm64"],
        LoggingConfig: { LogGroup: { Ref: `${id}Logs` } },
      });
      expect(properties(`${id}Logs`).RetentionInDays).toBe(30);
    }
    expect(ofType("AWS::Lambda::Function").map(([id]) => id)).toEqual(Object.keys(FUNCTIONS).map(functionId));
  });

  it("have a role each, which names every action and every resource: no wildcard, no policy from elsewhere", () => {
    for (const [id, { Properties }] of ofType("AWS::Lambda::Function")) {
      expect(Properties.Role).toEqual({ "Fn::GetAtt": [`${id}Role`, "Arn"] });
      const role = properties(`${id}Role`);
      expect(role.ManagedPolicyArns).toBeUndefined();
      expect(JSON.stringify(role.Policies)).not.toContain("*");
    }
    expect(ofType("AWS::IAM::Role")).toHaveLength(Object.keys(FUNCTIONS).length);
    expect(ofType("AWS::IAM::Policy")).toEqual([]);
  });

  it("may do to a table what the manifest says, and on its index only ask", () => {
    const onFacts = statementsAbout("SweeperFunctionRole", "FactsTable");
    expect(onFacts).toEqual([
      { Effect: "Allow", Action: "dynamodb:Query", Resource: { "Fn::GetAtt": ["FactsTable", "Arn"] } },
      {
        Effect: "Allow",
        Action: "dynamodb:Query",
        Resource: { "Fn::Join": ["", [{ "Fn::GetAtt": ["FactsTable", "Arn"] }, "/index/due"]] },
      },
    ]);
    expect(statementsAbout("SnippetFunctionRole", "Table")).toEqual([]);
  });

  it("are called by a schedule where the manifest says so, and a failed call is not repeated", () => {
    expect(properties("SweeperFunctionEventInvokeConfig")).toMatchObject({ MaximumRetryAttempts: 0 });
    expect(properties("SweeperSchedule")).toMatchObject({
      ScheduleExpression: "rate(1 minute)",
      Targets: [
        {
          Arn: { "Fn::GetAtt": ["SweeperFunction", "Arn"] },
          RetryPolicy: { MaximumRetryAttempts: 0 },
        },
      ],
    });
  });
});

describe("logical ids", () => {
  it("are names, without a hash", () => {
    for (const id of Object.keys(resources)) expect(id).not.toMatch(/[0-9A-F]{8}$/);
  });
});

const specs = (): [string, FunctionSpec][] => Object.entries(FUNCTIONS);

const byRoute = (a: { route?: Json | undefined }, b: { route?: Json | undefined }): number =>
  String(a.route).localeCompare(String(b.route));

/** The logical id an intrinsic or a joined string points at. */
function target(value: Json | undefined): string {
  const [, id] = /"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/.exec(JSON.stringify(value)) ?? [];
  if (!id) throw new Error(`points at no resource: ${JSON.stringify(value)}`);
  return id;
}

function statementsAbout(role: string, resource: string): Json[] {
  const policies = properties(role).Policies as { PolicyDocument: { Statement: Json[] } }[];
  return policies
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .filter((statement) => JSON.stringify(statement).includes(`${resource}"`));
}
