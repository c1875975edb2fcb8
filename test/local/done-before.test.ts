import { doneBefore } from "../../infra/local/run";

const never = new Promise<void>(() => {});
const failed = () => Promise.reject(new Error("cannot be built"));

test("work that is done before the end, and work that is not", async () => {
  await expect(doneBefore(never, Promise.resolve())).resolves.toBe(true);
  await expect(doneBefore(Promise.resolve(), never)).resolves.toBe(false);
});

test("work that fails by the end has not failed, although its failure may be heard of first", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = doneBefore(promise, failed());
  await failed().catch(() => {}); // the failure's turn is over
  resolve();
  await expect(done).resolves.toBe(false);
});

test("work that fails by itself has", async () => {
  await expect(doneBefore(never, failed())).rejects.toThrow("cannot be built");
});
