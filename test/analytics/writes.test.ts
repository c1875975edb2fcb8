import { randomBytes } from "node:crypto";
import { bucketAt, QUARTER } from "../../shared/domain/analytics/bucket";
import type { TrafficFact } from "../../shared/domain/analytics/fact";
import { createFactLog } from "../../shared/storage/analytics/facts";
import { createMark } from "../../shared/storage/analytics/markers";
import type { Dynamo } from "../../shared/storage/dynamo";

const START = Date.UTC(2024, 4, 10, 8);
const engagement = (at: number): TrafficFact => ({ kind: "engagement", visit: `v${at}`, at });

/** A table that answers each request as `answer` says, by the command's name. */
const table = (answer: (command: string, nth: number) => Promise<unknown>) => {
  let requests = 0;
  const send = (command: object) => answer(command.constructor.name, ++requests);
  return { dynamo: { send } as unknown as Dynamo, requests: () => requests };
};

const named = (name: string): Error => Object.assign(new Error(name), { name });

describe("appending facts", () => {
  it("has nothing under way when it fails: an instance frozen with a write would send it again minutes later", async () => {
    let underWay = 0;
    let puts = 0;
    const { dynamo } = table(async (command) => {
      underWay++;
      const fails = command === "PutCommand" && ++puts > 3; // The first three note the days.
      if (fails && puts === 4) {
        underWay--;
        throw named("InternalServerError");
      }
      for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
      underWay--;
      return {};
    });
    const log = createFactLog({ dynamo, table: "Facts", clock: () => START, random: randomBytes });
    const facts = [START, START + 100 * QUARTER, START + 200 * QUARTER].map(engagement);
    await expect(log.append(1, facts)).rejects.toThrow("InternalServerError");
    expect(underWay).toBe(0);
  });
});

describe("a mark", () => {
  const bucket = bucketAt("quarter", START);

  it("that meets a sealing under way is tried again", async () => {
    const { dynamo, requests } = table(async (_, nth) => {
      if (nth < 3) throw named("TransactionConflictException");
    });
    await createMark(dynamo, "Facts", randomBytes)(1, bucket, START);
    expect(requests()).toBe(3);
  });

  it("that fails for good is not taken for set", async () => {
    const { dynamo, requests } = table(async () => {
      throw named("ResourceNotFoundException");
    });
    await expect(createMark(dynamo, "Facts", randomBytes)(1, bucket, START)).rejects.toThrow();
    expect(requests()).toBe(1);
  });
});
