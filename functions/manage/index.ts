import { hashPassword, verifyPassword } from "../../shared/domain/access/password";
import { systemRandom } from "../../shared/lambda/random";
import { systemClock } from "../../shared/ports/clock";
import { createSessions } from "../../shared/storage/access/sessions";
import { createDynamo } from "../../shared/storage/dynamo";
import { parseEnv } from "./env";
import { manageHandler } from "./handler";

const { CONFIG_TABLE, EPHEMERAL_TABLE } = parseEnv(process.env);
const dynamo = createDynamo();

export const handler = manageHandler({
  config: { dynamo, table: CONFIG_TABLE },
  sessions: createSessions(dynamo, EPHEMERAL_TABLE, systemRandom),
  clock: systemClock,
  random: systemRandom,
  hashPassword: (password) => hashPassword(password, systemRandom),
  verifyPassword,
});
