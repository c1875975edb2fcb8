import * as z from "zod";
import { hashApiKey, newApiKey, previewOf } from "../../domain/access/api-key";
import { API_KEY_KINDS, type ApiKeyKind, type ApiKeyRecord } from "../../domain/access/api-key-record";
import { API_PLAN } from "../../domain/access/principal";
import { ApiError } from "../../domain/errors";
import { newId, type RandomBytes } from "../../domain/ids";
import type { Instant } from "../../domain/instant";
import { credentialKey, type ItemKey, memberKey, siteKey, workspaceKey } from "./config-keys";
import type { ConfigTable, Write } from "./config-table";

/** A stored {@link ApiKeyRecord}, without its key in the table. */
export const apiKeyItem = z.object({
  id: z.string(),
  workspace: z.int(),
  site: z.int(),
  member: z.int(),
  kind: z.enum(API_KEY_KINDS),
  name: z.string(),
  preview: z.string(),
  hash: z.string(),
  created: z.int(),
  expires: z.int().nullable(),
});

/** What a key is made for. */
export interface KeyPurpose {
  readonly workspace: number;
  readonly site: number;
  readonly member: number;
  readonly name: string;
  readonly kind: ApiKeyKind;
  readonly expires: Instant | null;
}

/** What a new key's time and randomness come from. */
export interface KeyMaking {
  readonly now: Instant;
  readonly random: RandomBytes;
}

export interface MadeKey {
  readonly key: ApiKeyRecord;
  /** Its full value, which is kept nowhere. */
  readonly value: string;
  /**
   * The writes that bring it into force: plan, site and member are as they must be (else PLAN_REQUIRED, NOT_FOUND), and
   * the authorizer finds it. The record is for the caller to put beside them.
   */
  readonly writes: readonly Write[];
}

export function makeKey(config: ConfigTable, purpose: KeyPurpose, { now, random }: KeyMaking): MadeKey {
  const { workspace, site, member, kind, expires } = purpose;
  const value = newApiKey({ workspace, member }, random);
  const [id, hash, preview] = [newId("key", now, random), hashApiKey(value), previewOf(value)];
  return {
    key: { id, ...purpose, preview, hash, created: now },
    value,
    writes: [
      requireThat(config, workspaceKey(workspace), { plan: API_PLAN }, () => new ApiError("PLAN_REQUIRED")),
      requireThat(config, siteKey(site), { workspace }, () => notFound(`The workspace has no site ${site}.`)),
      requireThat(config, memberKey(workspace, member), { member }, () =>
        notFound(`The workspace has no member ${member}.`),
      ),
      {
        action: {
          Put: {
            TableName: config.table,
            Item: { ...credentialKey(hash), keyId: id, kind, workspace, member, expires },
            ConditionExpression: "attribute_not_exists(pk)",
          },
        },
      },
    ],
  };
}

/** What ends a key: the authorizer finds it no more. */
export const dropCredential = ({ table }: ConfigTable, { hash }: Pick<ApiKeyRecord, "hash">): Write => ({
  action: { Delete: { TableName: table, Key: credentialKey(hash) } },
});

const notFound = (message: string) => new ApiError("NOT_FOUND", message);

/** The item exists and has these values. */
function requireThat(
  config: ConfigTable,
  key: ItemKey,
  expected: Readonly<Record<string, string | number>>,
  otherwise: () => Error,
): Write {
  const entries = Object.entries(expected);
  return {
    action: {
      ConditionCheck: {
        TableName: config.table,
        Key: key,
        ConditionExpression: entries.map((_, i) => `#n${i} = :v${i}`).join(" AND "),
        ExpressionAttributeNames: Object.fromEntries(entries.map(([name], i) => [`#n${i}`, name])),
        ExpressionAttributeValues: Object.fromEntries(entries.map(([, value], i) => [`:v${i}`, value])),
      },
    },
    otherwise,
  };
}
