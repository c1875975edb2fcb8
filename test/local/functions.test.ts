import { type Running, startFixture } from "./support";

let service: Running;
beforeAll(async () => {
  service = await startFixture({ settings: { DELIVERY_DELAY_SECONDS: "1", LINK_LOOKUP_SECONDS: "2" } });
});
afterAll(() => service.close());

const trouble = (wanted?: string) => service.invoke("Trouble", { wanted });

test("a function's result comes back as JSON would carry it", async () => {
  await expect(service.invoke("Answer", { body: '{"a":[1,null,"ü"]}' })).resolves.toEqual({
    ok: true,
    payload: { a: [1, null, "ü"] },
  });
});

test("an error is reported with its type and message, and the thread goes on", async () => {
  const before = await trouble();
  await expect(trouble("throw")).resolves.toMatchObject({
    ok: false,
    error: { errorType: "TypeError", errorMessage: "as asked" },
  });
  expect((await trouble()).ok && before.ok).toBe(true);
});

test.each([
  ["exit", "Runtime.ExitError"],
  ["crash", "Error"],
])(
  "a thread that ends (%s) fails what is under way in it; the next finds a fresh one",
  async (wanted, reported) => {
    // There are two threads; the third invocation shares the first one's.
    const [shared, alone, ended] = await Promise.all([trouble("hang"), trouble("hang"), trouble(wanted)]);
    expect([shared, ended]).toEqual([
      { ok: false, error: expect.objectContaining({ errorType: reported }) },
      { ok: false, error: expect.objectContaining({ errorType: reported }) },
    ]);
    expect(alone).toMatchObject({ error: { errorType: "Sandbox.Timedout" } });
    await expect(trouble()).resolves.toEqual({ ok: true, payload: { invocations: 1 } });
  },
);

test.each(["hang", "spin"])(
  "an invocation that does not end (%s) is answered at the function's timeout",
  async (wanted) => {
    const started = performance.now();
    const outcome = await trouble(wanted);
    expect(performance.now() - started).toBeGreaterThan(995); // a timer may fire a tick early
    expect(outcome).toMatchObject({
      ok: false,
      error: {
        errorType: "Sandbox.Timedout",
        errorMessage: expect.stringMatching(/Task timed out after 1\.00 seconds$/),
      },
    });
    await expect(trouble()).resolves.toMatchObject({ ok: true });
  },
);

test("many invocations at once are all answered", async () => {
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => trouble()));
  expect(outcomes.every((outcome) => outcome.ok)).toBe(true);
});

test("a function has the template's variables and Lambda's own, and nothing of this machine's", async () => {
  const outcome = await service.invoke("Echo", {});
  const { environment, context } = JSON.parse(
    (outcome as unknown as { payload: { body: string } }).payload.body,
  );
  expect(environment).toMatchObject({
    API_URL: service.baseUrl,
    AWS_LAMBDA_FUNCTION_NAME: service.named("Echo"),
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "256",
    AWS_REGION: "eu-west-1",
    AWS_ENDPOINT_URL: service.awsUrl,
  });
  expect(environment.PATH).toBeUndefined();
  expect(environment.HOME).toBeUndefined();
  expect(context).toMatchObject({ functionName: service.named("Echo"), memoryLimitInMB: "256" });
  expect(context.remaining).toBeGreaterThan(4000);
});

test("a setting reaches the functions whose template names it, and no other", async () => {
  const outcome = await service.invoke("Echo", {});
  const { environment } = JSON.parse((outcome as unknown as { payload: { body: string } }).payload.body);
  expect(environment.DELIVERY_DELAY_SECONDS).toBe("1");
  expect(environment.LINK_LOOKUP_SECONDS).toBeUndefined();
});

test("time spent loading a function does not count against its timeout", async () => {
  // Loading takes longer than the second the function has.
  await expect(service.invoke("Slow", {})).resolves.toEqual({ ok: true, payload: "loaded" });
});

test("a function that cannot be loaded says so on every invocation", async () => {
  for (let time = 0; time < 2; time++) {
    await expect(service.invoke("Broken", {})).resolves.toMatchObject({
      ok: false,
      error: { errorType: "Runtime.ImportModuleError", errorMessage: "broken at import" },
    });
  }
});
