import type { Dynamo } from "../../shared/storage/dynamo";

/** What a piece of work cost the tables. */
export interface Consumption {
  requests: number;
  /** Requests that had to wait for one another: the longest chain. */
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  /** By table and command, e.g. `Facts PutCommand`. */
  unitsBy: Record<string, number>;
}

/** A client that adds up the consumed capacity of everything sent through it, as the engine reports it. */
export function metered(dynamo: Dynamo): { dynamo: Dynamo; reset(): void; consumption(): Consumption } {
  let seen = zero();
  let answeredTrips = 0;
  const send = async (
    command: { input: Record<string, unknown>; constructor: { name: string } },
    ...rest: unknown[]
  ) => {
    const trip = answeredTrips + 1;
    command.input.ReturnConsumedCapacity = "TOTAL";
    const answer = (await (dynamo.send as (...args: unknown[]) => Promise<unknown>)(command, ...rest)) as {
      ConsumedCapacity?: Capacity | Capacity[];
    };
    answeredTrips = Math.max(answeredTrips, trip);
    seen.roundTrips = Math.max(seen.roundTrips, trip);
    const writes = /Put|Update|Delete|Write/.test(command.constructor.name);
    seen.requests++;
    for (const { TableName = "", CapacityUnits = 0 } of [answer.ConsumedCapacity ?? []].flat()) {
      if (writes) seen.writeUnits += CapacityUnits;
      else seen.readUnits += CapacityUnits;
      const name = `${TableName} ${command.constructor.name}`;
      seen.unitsBy[name] = (seen.unitsBy[name] ?? 0) + CapacityUnits;
    }
    return answer;
  };
  return {
    dynamo: new Proxy(dynamo, {
      get: (target, name) => (name === "send" ? send : Reflect.get(target, name)),
    }),
    reset: () => {
      seen = zero();
      answeredTrips = 0;
    },
    consumption: () => seen,
  };
}

interface Capacity {
  TableName?: string;
  CapacityUnits?: number;
}

const zero = (): Consumption => ({
  requests: 0,
  roundTrips: 0,
  readUnits: 0,
  writeUnits: 0,
  unitsBy: {},
});

/** Milliseconds of each of `runs` runs, after one that is not counted. */
export async function timed(
  runs: number,
  work: () => Promise<unknown>,
): Promise<{ median: number; max: number }> {
  await work();
  const times: number[] = [];
  for (let i = 0; i < runs; i++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  return { median: times[Math.floor(runs / 2)] ?? 0, max: times.at(-1) ?? 0 };
}

/** Prints rows as an aligned table. */
export function table<Row extends object>(title: string, rows: readonly Row[]): void {
  console.log(`\n${title}`);
  if (rows.length === 0) console.log("none");
  const names = Object.keys(rows[0] ?? {});
  const text = (value: string | number | undefined) =>
    typeof value === "number"
      ? value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : 0 })
      : (value ?? "");
  const cellsOf = (row: Row): string[] => Object.values(row).map(text);
  const widths = names.map((name, i) =>
    Math.max(name.length, ...rows.map((row) => cellsOf(row)[i]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) => (i ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0))).join("  ");
  if (names.length > 0) console.log(line(names));
  for (const row of rows) console.log(line(cellsOf(row)));
}
