import { request as httpRequest } from "node:http";
import { gzipSync } from "node:zlib";
import { type Running, startFixture } from "./support";

let service: Running;
beforeAll(async () => {
  service = await startFixture({
    pages: { "/shop": (_, response) => response.end("only here") },
  });
});
afterAll(() => service.close());

/** What came over the wire, by a client that adds nothing of its own. */
interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
}

function call(path: string, { method = "GET", headers = {}, body }: Sent = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      `${service.baseUrl}${path}`,
      { method, headers, path, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

// biome-ignore lint/suspicious/noExplicitAny: the event under test
const eventOf = async (path: string, sent?: Sent): Promise<any> =>
  JSON.parse((await call(path, sent)).body.toString()).event;

const answer = (result: unknown, method = "POST") =>
  call("/answer", { method, headers: { "content-type": "application/json" }, body: JSON.stringify(result) });

describe("the event", () => {
  test("is that of payload format 2.0, to the last field", async () => {
    const event = await eventOf("/pets/7?color=red&color=dark%20blue&empty=&sum=1%2B1", {
      headers: {
        "X-Many": ["one", "two"],
        Cookie: "session=abc; theme=dark",
        "User-Agent": "tester/1.0",
        "Content-Type": "text/plain",
      },
    });
    const host = new URL(service.baseUrl).host;
    expect(event).toEqual({
      version: "2.0",
      routeKey: "GET /pets/{id}",
      rawPath: "/pets/7",
      rawQueryString: "color=red&color=dark%20blue&empty=&sum=1%2B1",
      cookies: ["session=abc", "theme=dark"],
      headers: {
        "content-length": "0",
        "content-type": "text/plain",
        host,
        "user-agent": "tester/1.0",
        "x-amzn-trace-id": expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
        "x-forwarded-for": "127.0.0.1",
        "x-forwarded-port": new URL(service.baseUrl).port,
        "x-forwarded-proto": "http",
        "x-many": "one,two",
      },
      queryStringParameters: { color: "red,dark blue", empty: "", sum: "1+1" },
      requestContext: {
        accountId: "000000000000",
        apiId: "local",
        domainName: host,
        domainPrefix: expect.any(String),
        http: {
          method: "GET",
          path: "/pets/7",
          protocol: "HTTP/1.1",
          sourceIp: "127.0.0.1",
          userAgent: "tester/1.0",
        },
        requestId: expect.stringMatching(/^[\w-]{10,}$/),
        routeKey: "GET /pets/{id}",
        stage: "$default",
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.any(Number),
      },
      pathParameters: { id: "7" },
      isBase64Encoded: false,
    });
  });

  test("has no query, cookies, parameters or body where there are none", async () => {
    const event = await eventOf("/");
    expect(event).toMatchObject({ routeKey: "$default", rawPath: "/", rawQueryString: "" });
    for (const absent of ["cookies", "queryStringParameters", "pathParameters", "body"]) {
      expect(event).not.toHaveProperty(absent);
    }
  });

  test("has path and parameters decoded, the query not", async () => {
    const event = await eventOf("/pets/caf%C3%A9%20au%20lait?q=caf%C3%A9");
    expect(event.rawPath).toBe("/pets/café au lait");
    expect(event.pathParameters).toEqual({ id: "café au lait" });
    expect(event.rawQueryString).toBe("q=caf%C3%A9");
  });

  test.each([
    ["application/json", false],
    ["application/json; charset=utf-8", false],
    ["text/plain;charset=UTF-8", false],
    ["application/xml", false],
    ["application/javascript", false],
    ["application/x-www-form-urlencoded", true],
    ["application/octet-stream", true],
    ["multipart/form-data; boundary=x", true],
    ["application/cloudevents+json", true],
    [undefined, true],
  ])("carries a body of type %s with isBase64Encoded %s", async (type, encoded) => {
    const headers = type === undefined ? {} : { "content-type": type };
    const event = await eventOf("/pets/1/toys", { method: "POST", headers, body: "a=ü" });
    expect(event.isBase64Encoded).toBe(encoded);
    expect(event.body).toBe(encoded ? Buffer.from("a=ü").toString("base64") : "a=ü");
  });

  test("carries a compressed body as its bytes", async () => {
    const body = gzipSync('{"a":1}');
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const event = await eventOf("/pets/1/toys", { method: "POST", headers, body });
    expect(Buffer.from(event.body, "base64")).toEqual(body);
  });

  test("carries a chunked body whole, with its length", async () => {
    const headers = { "content-type": "application/json", "transfer-encoding": "chunked" };
    const event = await eventOf("/pets/1/toys", { method: "PUT", headers, body: '{"a":1}' });
    expect(event.body).toBe('{"a":1}');
    expect(event.headers).toMatchObject({ "content-length": "7" });
    expect(event.headers).not.toHaveProperty("transfer-encoding");
  });
});

describe("routes", () => {
  test.each([
    ["GET", "/pets/mine", "GET /pets/mine", undefined],
    ["GET", "/pets/7", "GET /pets/{id}", { id: "7" }],
    ["POST", "/pets/7", "ANY /pets/{proxy+}", { proxy: "7" }],
    ["GET", "/pets/7/toys/1", "ANY /pets/{proxy+}", { proxy: "7/toys/1" }],
    ["GET", "/pets", "$default", undefined],
    ["GET", "/pets/", "$default", undefined],
    ["DELETE", "/answer", "$default", undefined],
  ])("%s %s goes to %s", async (method, path, routeKey, pathParameters) => {
    const event = await eventOf(path, { method });
    expect([event.routeKey, event.pathParameters]).toEqual([routeKey, pathParameters]);
  });

  test("HEAD is not GET: it goes where its own route or the default leads, and has no body", async () => {
    const answered = await call("/pets/mine", { method: "HEAD" });
    expect(answered.status).toBe(200);
    expect(answered.body).toHaveLength(0);
  });

  test("a page of the local run comes before them", async () => {
    await expect(call("/shop?x=1")).resolves.toMatchObject({ status: 200, body: Buffer.from("only here") });
  });

  test("an address that cannot be decoded is refused", async () => {
    await expect(call("/pets/%E0%A4%A")).resolves.toMatchObject({ status: 400 });
  });
});

describe("the response", () => {
  test("is the function's: status, headers, cookies, bytes", async () => {
    const bytes = Buffer.from([0, 255, 128, 7]);
    const answered = await answer({
      statusCode: 418,
      headers: { "X-Tea": "green", "x-number": 3, "content-type": "image/x-tea" },
      cookies: ["a=1; HttpOnly", "b=2"],
      body: bytes.toString("base64"),
      isBase64Encoded: true,
    });
    expect(answered.status).toBe(418);
    expect(answered.body).toEqual(bytes);
    expect(answered.headers).toMatchObject({
      "x-tea": "green",
      "x-number": "3",
      "content-type": "image/x-tea",
      "content-length": "4",
      "set-cookie": ["a=1; HttpOnly", "b=2"],
    });
  });

  test.each([
    ["a string", "hello", "hello"],
    ["an object without a status", { a: 1 }, '{"a":1}'],
    ["a list", [1], "[1]"],
    ["null", null, "null"],
  ])("of %s is a 200 of JSON", async (_, result, body) => {
    const answered = await answer(result);
    expect([answered.status, answered.headers["content-type"], answered.body.toString()]).toEqual([
      200,
      "application/json",
      body,
    ]);
  });

  test("without a content type is text", async () => {
    expect((await answer({ statusCode: 200, body: "x" })).headers["content-type"]).toBe(
      "text/plain;charset=UTF-8",
    );
  });

  test.each([
    ["a status that is none", { statusCode: 42 }],
    ["a status that is no number", { statusCode: "fine" }],
    ["a body that is no string", { statusCode: 200, body: { a: 1 } }],
    ["a header that is a list", { statusCode: 200, headers: { a: ["b"] } }],
    ["a header that breaks the line", { statusCode: 200, headers: { a: "b\r\nc: d" } }],
    ["a header whose name is none", { statusCode: 200, headers: { "a b": "c" } }],
    ["cookies that are no list", { statusCode: 200, cookies: "a=1" }],
  ])("of the wrong form (%s) is a 500", async (_, result) => {
    const answered = await answer(result);
    expect([answered.status, answered.body.toString()]).toEqual([500, '{"message":"Internal Server Error"}']);
  });

  test("of 204 has no body", async () => {
    const answered = await answer({ statusCode: 204, body: "dropped" });
    expect([answered.status, answered.body.length]).toEqual([204, 0]);
  });

  test("of a function that throws is a 500 that tells nothing", async () => {
    const answered = await call("/answer", { method: "POST", body: "no json" });
    expect([answered.status, answered.body.toString()]).toEqual([500, '{"message":"Internal Server Error"}']);
  });

  test("of a function that takes longer than the gateway waits is a 503", async () => {
    const answered = await call("/hang", { method: "POST", body: "{}" });
    expect([answered.status, answered.body.toString()]).toEqual([503, '{"message":"Service Unavailable"}']);
  });
});

describe("limits", () => {
  test("a body over 10 MB is 413", async () => {
    const answered = await call("/answer", { method: "POST", body: Buffer.alloc(10 * 1024 * 1024 + 1) });
    expect([answered.status, answered.body.toString()]).toEqual([
      413,
      '{"message":"Request Entity Too Large"}',
    ]);
  });

  test("a body too large for an event is 413", async () => {
    const answered = await call("/answer", { method: "POST", body: Buffer.alloc(5 * 1024 * 1024) }); // base64: 6.7 MB
    expect(answered.status).toBe(413);
  });

  test("headers over 10 KB are refused", async () => {
    await expect(call("/", { headers: { "x-long": "x".repeat(11_000) } })).resolves.toMatchObject({
      status: 431,
    });
  });
});

describe("the authorizer", () => {
  test("hands its context to the function, and gets the request without its body", async () => {
    const event = await eventOf("/guarded?site=7", { headers: { "x-gate": "allow" } });
    const { who, seen } = event.requestContext.authorizer.lambda;
    expect(who).toBe("allow");
    expect(JSON.parse(seen)).toMatchObject({
      version: "2.0",
      type: "REQUEST",
      routeKey: "GET /guarded",
      rawQueryString: "site=7",
      identitySource: null,
      headers: { "x-gate": "allow" },
    });
    expect(JSON.parse(seen)).not.toHaveProperty("body");
  });

  test("without identity sources runs on every request", async () => {
    const event = await eventOf("/guarded");
    expect(event.requestContext.authorizer.lambda.who).toBe("nobody");
  });

  test("with an identity source is given it", async () => {
    const event = await eventOf("/guarded/by-header", { headers: { "x-gate": "allow" } });
    expect(JSON.parse(event.requestContext.authorizer.lambda.seen).identitySource).toEqual(["allow"]);
  });

  test.each([
    ["without the identity source", "/guarded/by-header", {}, 401, "Unauthorized"],
    ["denied", "/guarded", { "x-gate": "deny" }, 403, "Forbidden"],
    ["whose authorizer throws", "/guarded", { "x-gate": "throw" }, 500, "Internal Server Error"],
    ["whose authorizer answers nonsense", "/guarded", { "x-gate": "nonsense" }, 500, "Internal Server Error"],
  ])("a request %s is refused as AWS refuses it", async (_, path, headers, status, message) => {
    const answered = await call(path, { headers });
    expect([answered.status, JSON.parse(answered.body.toString())]).toEqual([status, { message }]);
  });
});
