import { timing } from "../../infra/local/schedules/expression";
import { type ScheduleOptions, startSchedules } from "../../infra/local/schedules/schedules";
import type { ScheduleModel } from "../../infra/local/template/model";
import { eventually, startFixture } from "./support";

const fits = (expression: string, at: string): boolean => {
  const when = timing(expression);
  return "fits" in when && when.fits(new Date(at));
};

test.each([
  ["rate(1 minute)", 60_000],
  ["rate(5 minutes)", 300_000],
  ["rate(2 hours)", 7_200_000],
  ["rate(1 day)", 86_400_000],
])("%s is every %d ms", (expression, everyMs) => expect(timing(expression)).toEqual({ everyMs }));

test.each([
  ["cron(0 12 * * ? *)", "2026-03-01T12:00:00Z", true],
  ["cron(0 12 * * ? *)", "2026-03-01T12:01:00Z", false],
  ["cron(0/15 * * * ? *)", "2026-03-01T07:45:00Z", true],
  ["cron(5/15 * * * ? *)", "2026-03-01T07:45:00Z", false],
  ["cron(15 10 ? * MON-FRI *)", "2026-03-02T10:15:00Z", true],
  ["cron(15 10 ? * MON-FRI *)", "2026-03-01T10:15:00Z", false],
  ["cron(0 8 1,15 JAN,MAR ? 2026)", "2026-03-15T08:00:00Z", true],
  ["cron(0 8 1,15 JAN,MAR ? 2026)", "2027-03-15T08:00:00Z", false],
])("%s at %s: %s", (expression, at, expected) => expect(fits(expression, at)).toBe(expected));

test.each(["every minute", "cron(* * *)", "cron(0 8 L * ? *)"])(
  "what it cannot read (%s) is said",
  (expression) => {
    expect(() => timing(expression)).toThrow(expression);
  },
);

describe("with the time in hand", () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: Date.UTC(2026, 2, 1, 12, 0, 30) });
    invoke.mockClear();
  });
  afterEach(() => jest.useRealTimers());

  const schedule = (expression: string): ScheduleModel => ({
    logicalId: "S",
    expression,
    functionArn: "arn",
  });
  const invoke = jest.fn(async () => ({ ok: true as const, payload: null }));
  const start = (expression: string, options: Partial<ScheduleOptions> = {}) =>
    startSchedules({ schedules: [schedule(expression)], now: Date.now, invoke, ...options });

  test("a rate fires at once and then at its interval, until it is stopped", async () => {
    const running = start("rate(1 minute)");
    await jest.advanceTimersByTimeAsync(180_000);
    expect(invoke).toHaveBeenCalledTimes(4);
    running.stop();
    await jest.advanceTimersByTimeAsync(180_000);
    expect(invoke).toHaveBeenCalledTimes(4);
  });

  test("SWEEP_SECONDS shortens what runs every minute, and nothing else", async () => {
    start("rate(1 minute)", { sweepMs: 1000 });
    start("rate(2 minutes)", { sweepMs: 1000 });
    await jest.advanceTimersByTimeAsync(10_000);
    expect(invoke).toHaveBeenCalledTimes(11 + 1);
  });

  test("nothing fires before what the schedules wait for is done, and nothing after when they are stopped by then", async () => {
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    start("rate(1 minute)", { schedulesAfter: first.promise });
    const stopped = start("rate(1 minute)", { schedulesAfter: second.promise });
    await jest.advanceTimersByTimeAsync(180_000);
    expect(invoke).toHaveBeenCalledTimes(0);
    first.resolve();
    stopped.stop();
    second.resolve();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(invoke).toHaveBeenCalledTimes(2);
  });

  test("what the schedules wait for fails: nothing fires", async () => {
    start("rate(1 minute)", { schedulesAfter: Promise.reject(new Error("as it happens")) });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(invoke).toHaveBeenCalledTimes(0);
  });

  test("cron fires at the beginning of its minute", async () => {
    start("cron(2 12 * * ? *)");
    await jest.advanceTimersByTimeAsync(89_000);
    expect(invoke).toHaveBeenCalledTimes(0);
    await jest.advanceTimersByTimeAsync(3_600_000);
    expect(invoke).toHaveBeenCalledTimes(1);
  });

  test("a call that still runs lets its next turn pass", async () => {
    invoke.mockImplementationOnce(
      () => new Promise((done) => setTimeout(done, 150_000, { ok: true, payload: null })),
    );
    start("rate(1 minute)");
    await jest.advanceTimersByTimeAsync(130_000);
    expect(invoke).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(invoke).toHaveBeenCalledTimes(2);
  });
});

test("a rule's schedule calls its function with a scheduled event", async () => {
  const service = await startFixture({ sweepMs: 50 });
  const events = await eventually(async () => {
    const seen = await service.seen("Scheduled Event");
    return seen.length >= 2 && seen;
  });
  await service.close();
  expect(events[0]).toMatchObject({ source: "aws.events", detail: {} });
});
