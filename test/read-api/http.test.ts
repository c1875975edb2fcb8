import { gunzipSync } from "node:zlib";
import type { Context } from "aws-lambda";
import { ApiError, ERRORS } from "../../shared/domain/errors";
import { type HttpRequest, type HttpResponse, httpFunction, json } from "../../shared/lambda/http";
import { log } from "../../shared/lambda/log";
import { event, send } from "./support";

const context = { awsRequestId: "lambda-1" } as Context;
const answering = (response: HttpResponse) => httpFunction(async () => response);
const LONG = "a long text, ".repeat(1_000);

async function received(request: ReturnType<typeof event>): Promise<HttpRequest> {
  const handle = jest.fn(async (_: HttpRequest) => json(200, {}));
  await httpFunction(handle)(request, context);
  const [seen] = handle.mock.calls[0] ?? [];
  if (!seen) throw new Error("not called");
  return seen;
}

describe("a request", () => {
  test("comes decoded, with its names in one case", async () => {
    const request = await received(
      event("a=1&a=2&b=%20%C3%A4", {
        headers: { "X-Name": "v" },
        cookies: ["session=abc=", "session=later", "__proto__=x", "broken"],
      }),
    );
    expect(request.query.getAll("a")).toEqual(["1", "2"]);
    expect(request.query.get("b")).toBe(" ä");
    expect(request.headers["x-name"]).toBe("v");
    expect(request.cookies).toEqual({ session: "abc=" });
    expect(request.authorizer).toEqual({});
  });

  test("has its body as the bytes that were sent", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
    const binary = { ...event("", { body: Buffer.from(bytes).toString("base64") }), isBase64Encoded: true };
    expect([...(await received(binary)).body]).toEqual([...bytes]);
    expect(Buffer.from((await received(event("", { body: "ä" }))).body).toString()).toBe("ä");
    expect((await received(event(""))).body).toHaveLength(0);
  });
});

describe("an answer", () => {
  test("of JSON is marked as such and kept by nobody on the way", async () => {
    const answer = await send(answering(json(201, { a: 1 }, { "X-Own": "1" })), event(""));
    expect(answer).toMatchObject({ status: 201, text: '{"a":1}' });
    expect(answer.headers).toEqual({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": "request-1",
      "x-own": "1",
    });
  });

  test("may say otherwise", async () => {
    const headers = { "Cache-Control": "public, max-age=60", "Content-Type": "application/problem+json" };
    const answer = await send(answering(json(200, {}, headers)), event(""));
    expect(answer.headers).toMatchObject({
      "cache-control": "public, max-age=60",
      "content-type": "application/problem+json",
    });
  });

  test("of bytes travels in base64, one of nothing has no body", async () => {
    const bytes = await answering({ status: 200, body: new Uint8Array([0, 255]) })(event(""), context);
    expect(bytes).toMatchObject({ body: "AP8=", isBase64Encoded: true });
    expect(await answering({ status: 204, cookies: ["a=1"] })(event(""), context)).toEqual({
      statusCode: 204,
      headers: { "x-content-type-options": "nosniff", "x-request-id": "request-1" },
      cookies: ["a=1"],
    });
  });
});

describe("a long text", () => {
  const sendLong = (acceptEncoding?: string) =>
    answering({ status: 200, body: LONG })(
      event("", { headers: acceptEncoding === undefined ? {} : { "Accept-Encoding": acceptEncoding } }),
      context,
    );

  test.each(["gzip", "br, GZIP;q=0.5", "*", "gzip, *;q=0", "deflate;q=1,gzip ; q=0.1"])(
    "is gzipped for who accepts %j",
    async (accepted) => {
      const { headers, body, isBase64Encoded } = await sendLong(accepted);
      expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
      expect(isBase64Encoded).toBe(true);
      expect(gunzipSync(Buffer.from(body ?? "", "base64")).toString()).toBe(LONG);
    },
  );

  test.each([undefined, "", "br", "identity", "gzip;q=0", "*;q=0", "gzip;q=x", "gzipped"])(
    "is sent as it is to who accepts %j",
    async (accepted) => {
      const { headers, body } = await sendLong(accepted);
      expect(body).toBe(LONG);
      expect(headers).toMatchObject({ vary: "Accept-Encoding" });
      expect(headers).not.toHaveProperty("content-encoding");
    },
  );

  test("that is encoded already is left alone, and a short one too", async () => {
    const accepting = event("", { headers: { "accept-encoding": "gzip" } });
    const encoded = answering({ status: 200, body: LONG, headers: { "content-encoding": "identity" } });
    expect((await encoded(accepting, context)).body).toBe(LONG);
    expect((await answering(json(200, { a: 1 }))(accepting, context)).headers).not.toHaveProperty("vary");
  });
});

describe("an error", () => {
  test("of ours has its status, body and headers", async () => {
    const handler = httpFunction(async () => {
      throw new ApiError("RATE_LIMITED", undefined, { "retry-after": "3" });
    });
    const answer = await send(handler, event(""));
    expect(answer.status).toBe(429);
    expect(answer.headers).toMatchObject({ "retry-after": "3", "x-request-id": "request-1" });
    expect(answer.json()).toEqual({ error: ERRORS.RATE_LIMITED[1], code: "RATE_LIMITED" });
  });

  test.each([new Error("secret"), new TypeError("secret"), "secret", null, undefined, { code: "secret" }])(
    "that nobody foresaw (%p) is INTERNAL and leaks nothing",
    async (thrown) => {
      const answer = await send(
        httpFunction(() => Promise.reject(thrown)),
        event(""),
      );
      expect(answer.status).toBe(500);
      expect(answer.json()).toEqual({ error: ERRORS.INTERNAL[1], code: "INTERNAL" });
    },
  );

  test("that nobody foresaw is logged with its route and not with its path, which may hold a secret", async () => {
    const logged = jest.spyOn(log, "error").mockReturnValue();
    const routed = { ...event("", { path: "/in/s3cret" }), routeKey: "POST /in/{token}" };
    await send(
      httpFunction(() => Promise.reject(new Error("failed"))),
      routed,
    );
    expect(logged).toHaveBeenCalledWith("unexpected failure", {
      requestId: "request-1",
      route: "POST /in/{token}",
      error: new Error("failed"),
    });
    logged.mockRestore();
  });

  test("is also what a body becomes that cannot be written as JSON", async () => {
    const answer = await send(answering(json(200, { n: 1n })), event(""));
    expect(answer.status).toBe(500);
  });
});
