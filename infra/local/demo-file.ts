import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDynamo } from "../../shared/storage/dynamo";
import { engineClientConfig } from "./engine/engine";
import { LocalFailure } from "./failure";
import { type Demo, type SeedContext, seed } from "./seed";
import type { LocalService } from "./service";

/** Seeds a running service and writes `<dataDir>/demo.json`. */
export async function seedService(
  service: LocalService,
  { dataDir, demo, progress }: { dataDir: string; demo: boolean; progress: SeedContext["progress"] },
): Promise<Demo> {
  const file = join(dataDir, "demo.json");
  const previous = readDemo(file);
  const dynamo = createDynamo(engineClientConfig(service.dynamoUrl));
  try {
    const { baseUrl, tables } = service;
    const made = await seed({ baseUrl, dynamo, tables, demo, progress, ...(previous ? { previous } : {}) });
    writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 }); // it holds secrets
    return made;
  } finally {
    dynamo.destroy();
  }
}

function readDemo(file: string): Demo | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Demo;
  } catch {
    throw new LocalFailure(
      `${file} cannot be read as JSON. Mend it, or delete the data directory to start anew.`,
    );
  }
}
