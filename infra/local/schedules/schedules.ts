import type { Outcome } from "../functions/pool";
import type { ScheduleModel } from "../template/model";
import { timing } from "./expression";

export interface ScheduleOptions {
  readonly schedules: readonly ScheduleModel[];
  /** Shortens what runs every minute (SWEEP_SECONDS), so that one need not wait for it locally. */
  readonly sweepMs?: number;
  /** Nothing is called before this is fulfilled. */
  readonly schedulesAfter?: Promise<unknown>;
  now(): number;
  invoke(functionArn: string, event: unknown): Promise<Outcome>;
}

const MINUTE_MS = 60_000;

/**
 * Calls functions on their schedules. A rate fires at once, then at its interval: what a killed run left undone is
 * taken up at the start. A call that still runs when its next is due lets that one pass.
 */
export function startSchedules(options: ScheduleOptions): { stop(): void } {
  let stops: (() => void)[] = [];
  let stopped = false;
  const begin = () => {
    if (!stopped) stops = options.schedules.map((schedule) => start(schedule, options));
  };
  if (options.schedulesAfter) options.schedulesAfter.then(begin, () => {});
  else begin();
  return {
    stop() {
      stopped = true;
      for (const stop of stops) stop();
    },
  };
}

/** Answers what stops it. */
function start(schedule: ScheduleModel, { sweepMs, now, invoke }: ScheduleOptions): () => void {
  const when = timing(schedule.expression);
  let running = false;
  const fire = async () => {
    if (running) return;
    running = true;
    await invoke(schedule.functionArn, schedule.input ?? scheduledEvent(schedule, now()));
    running = false;
  };
  if ("fits" in when) return everyMinute(now, (at) => void (when.fits(at) && fire()));
  void fire();
  const timer = setInterval(fire, when.everyMs === MINUTE_MS ? (sweepMs ?? MINUTE_MS) : when.everyMs);
  return () => clearInterval(timer);
}

/** Calls `tick` at the beginning of every minute. */
function everyMinute(now: () => number, tick: (at: Date) => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = () => {
    timer = setTimeout(
      () => {
        tick(new Date(now()));
        wait();
      },
      MINUTE_MS - (now() % MINUTE_MS),
    );
  };
  wait();
  return () => clearTimeout(timer);
}

const scheduledEvent = (schedule: ScheduleModel, at: number) => ({
  version: "0",
  id: `${schedule.logicalId}-${at}`,
  "detail-type": "Scheduled Event",
  source: "aws.events",
  time: new Date(at).toISOString().replace(/\.\d+Z$/, "Z"),
  resources: [],
  detail: {},
});
