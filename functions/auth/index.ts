import { decoyHash, verifyPassword } from "../../shared/domain/access/password";
import { systemRandom } from "../../shared/lambda/random";
import { systemClock } from "../../shared/ports/clock";
import { createDynamo } from "../../shared/storage/dynamo";
import { findMemberByEmail } from "../../shared/storage/members";
import { createRollingWindow } from "../../shared/storage/rolling-window";
import { createSessions } from "../../shared/storage/sessions";
import { findWorkspace } from "../../shared/storage/workspaces";
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
