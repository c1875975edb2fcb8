import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LocalFailure } from "./failure";

/**
 * Holds a data directory for this process alone, by a lock of the operating system: it is gone with the process,
 * however that ends, so nothing stale can be left behind.
 * @throws LocalFailure when another run holds it
 */
export function holdDataDir(dataDir: string): { release(): void } {
  const database = new DatabaseSync(join(dataDir, "lock"));
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch {
    database.close();
    throw new LocalFailure(
      `Another local run uses ${dataDir}. Stop it, or start this one with another: LOCAL_DATA_DIR=.local-2 PORT=8788 npm start`,
    );
  }
  return { release: () => database.close() };
}
