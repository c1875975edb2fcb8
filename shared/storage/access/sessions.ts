import { createHash } from "node:crypto";
import { DeleteCommand, GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { Member } from "../../domain/access/member";
import type { RandomBytes } from "../../domain/ids";
import { DAY, type Instant, SECOND } from "../../domain/instant";
import type { Dynamo } from "../dynamo";
import { sessionKey } from "./session-keys";

/** A login lasts this long, used or not: nothing has to be written while it is used. */
export const SESSION_MS = 14 * DAY;

interface Session {
  readonly workspace: number;
  readonly member: number;
  /** The member's password version at login; void once it differs. */
  readonly passwordVersion: number;
  readonly expires: Instant;
}

const sessionItem = z.object({
  workspace: z.int(),
  member: z.int(),
  passwordVersion: z.int(),
  expires: z.int(),
});

/** Login sessions, kept by the SHA-256 of their token: who reads the table cannot log in. */
export interface Sessions {
  /** A new session of `member`; answers its token (256 random bits), which is kept nowhere. */
  create(member: Member, now: Instant): Promise<string>;
  find(token: string, now: Instant): Promise<Session | null>;
  end(token: string): Promise<void>;
}

export function createSessions(dynamo: Dynamo, table: string, random: RandomBytes): Sessions {
  return {
    async create({ workspace, member, passwordVersion }, now) {
      const token = Buffer.from(random(32)).toString("base64url");
      const session: Session = { workspace, member, passwordVersion, expires: now + SESSION_MS };
      const ttl = Math.ceil(session.expires / SECOND);
      await dynamo.send(new PutCommand({ TableName: table, Item: { ...keyOf(token), ...session, ttl } }));
      return token;
    },

    async find(token, now) {
      if (!TOKEN.test(token)) return null;
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: table, Key: keyOf(token), ConsistentRead: true }),
      );
      const session = Item ? sessionItem.parse(Item) : null;
      return session && now < session.expires ? session : null; // DynamoDB deletes late
    },

    async end(token) {
      if (TOKEN.test(token)) await dynamo.send(new DeleteCommand({ TableName: table, Key: keyOf(token) }));
    },
  };
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

const keyOf = (token: string) => sessionKey(createHash("sha256").update(token).digest("hex"));
