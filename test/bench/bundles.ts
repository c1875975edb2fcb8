import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { FUNCTIONS, QUEUES } from "../../infra/manifest";
import { TABLES, type TableId, tableEnv } from "../../shared/storage/tables";

const RUNS = 7;

/** Bytes of each function's bundle, and how long a fresh process takes to load it (Node's own start not counted). */
export function measureBundles(): { function: string; KB: number; "import ms": number }[] {
  return Object.keys(FUNCTIONS).flatMap((name) => {
    const file = `.build/functions/${name}/index.cjs`;
    if (!existsSync(file)) return [];
    const times = Array.from({ length: RUNS }, () => importMs(file)).sort((a, b) => a - b);
    return [
      { function: name, KB: statSync(file).size / 1_000, "import ms": times[Math.floor(RUNS / 2)] ?? 0 },
    ];
  });
}

function importMs(file: string): number {
  const script = `const began = performance.now(); require(${JSON.stringify(`${process.cwd()}/${file}`)}); console.log(performance.now() - began)`;
  return Number(execFileSync(process.execPath, ["-e", script], { env: environment(), encoding: "utf8" }));
}

/** Every variable any function may ask for, so that each composes itself as it does when deployed. */
function environment(): NodeJS.ProcessEnv {
  const tables = (Object.keys(TABLES) as TableId[]).map((table) => [tableEnv(table), table]);
  const queues = Object.keys(QUEUES).map((queue) => [
    `${queue.toUpperCase()}_QUEUE_URL`,
    `http://127.0.0.1:1/${queue}`,
  ]);
  const settings = Object.values(FUNCTIONS).flatMap((spec) =>
    Object.entries("settings" in spec ? (spec.settings as object) : {}),
  );
  return {
    ...process.env,
    AWS_REGION: "eu-west-1",
    EVENT_BUS_NAME: "bus",
    ...Object.fromEntries([...tables, ...queues, ...settings]),
  };
}
