import { decoyHash, verifyPassword } from "../../shared/domain/access/password";
import { systemRandom } from "../../shared/lambda/random";
import { systemClock } from "../../shared/ports/clock";
import { findMemberByEmail } from "../../shared/storage/access/members";
import { createSessions } from "../../shared/storage/access/sessions";
import { findWorkspace } from "../../shared/storage/access/workspaces";
import { createDynamo } from "../../shared/storage/dynamo";
import { createRollingWindow } from "../../shared/storage/read-api/rolling-window";
import { parseEnv } from "./env";
import { authHandler } from "./handler";
import { ATTEMPTS } from "./login";

const { CONFIG_TABLE, EPHEMERAL_TABLE } = parseEnv(process.env);
const dynamo = createDynamo();
const config = { dynamo, table: CONFIG_TABLE };
const attempts = (capacity: number) =>
  createRollingWindow(dynamo, EPHEMERAL_TABLE, { capacity, windowMs: ATTEMPTS.windowMs }, systemRandom);

export const handler = authHandler({
  findMemberByEmail: (email) => findMemberByEmail(config, email),
  findWorkspace: (workspace) => findWorkspace(config, workspace),
  verifyPassword,
  decoyHash: decoyHash(),
  attemptsByEmail: attempts(ATTEMPTS.byEmail),
  attemptsByAddress: attempts(ATTEMPTS.byAddress),
  sessions: createSessions(dynamo, EPHEMERAL_TABLE, systemRandom),
  clock: systemClock,
});
