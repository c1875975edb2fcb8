import { EventEmitter } from "node:events";
import { untilAskedToEnd } from "../../infra/local/asked-to-end";

/** A process with a clock in the test's hand. */
function pretended() {
  let now = 1_000;
  const exit = jest.fn();
  const process = Object.assign(new EventEmitter(), { exit });
  return { exit, ended: untilAskedToEnd(process, () => now), at: (ms: number) => (now = ms), process };
}

test.each(["SIGINT", "SIGTERM"])("the first %s asks for the end, in good order", async (signal) => {
  const { exit, ended, process } = pretended();
  process.emit(signal);
  await ended;
  expect(exit).not.toHaveBeenCalled();
});

test("one press that npm hands on as well is one, and the second ends at once", async () => {
  const { exit, ended, at, process } = pretended();
  process.emit("SIGINT");
  at(1_050);
  process.emit("SIGINT");
  await ended;
  expect(exit).not.toHaveBeenCalled();
  at(2_000);
  process.emit("SIGINT");
  expect(exit).toHaveBeenCalledWith(130);
});
