// `npm start`, `npm run local`: the whole service on this machine, from what would be deployed.
import { buildService } from "./build";
import { LocalFailure, messageOf } from "./failure";
import { doneBefore, runLocal, untilEnd } from "./run";
import { readSettings } from "./settings";

/** Functions run in UTC on AWS, whatever this machine's zone is. */
process.env.TZ = "UTC";

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const ended = untilEnd();
  const built = await doneBefore(ended, buildService());
  if (built) await runLocal(settings, ended);
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(
      error instanceof LocalFailure ? error.message : ((error as Error).stack ?? messageOf(error)),
    );
    process.exit(1);
  },
);
