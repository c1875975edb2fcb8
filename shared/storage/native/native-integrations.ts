import { DeleteCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type * as z from "zod";
import { hashSecret, newSecret } from "../../domain/conversion/receiving-webhook";
import { ApiError } from "../../domain/errors";
import { newId, type RandomBytes } from "../../domain/ids";
import type { Instant } from "../../domain/instant";
import {
  formatNativeToken,
  type NativeIntegration,
  secretContext,
  tokenContext,
} from "../../domain/native/integration";
import type { NativeKind } from "../../domain/native/kinds";
import { NATIVE_SOURCES } from "../../domain/native/sources";
import type { NativeSources } from "../../ports/native-integrations";
import type { SecretBox } from "../../ports/secret-box";
import { type ConfigTable, listItems } from "../access/config-table";
import { isConditionFailure } from "../dynamo";
import { nativeIntegrationKey, nativeIntegrationsPk } from "./native-integration-keys";
import { fromItem, type itemSchema } from "./native-integrations-item";

/** What making and changing integrations takes. */
export interface NativeTables extends ConfigTable {
  readonly secrets: SecretBox;
}

/** A site's integrations by kind, read consistently. */
export const listNativeIntegrations = async (
  config: ConfigTable,
  site: number,
): Promise<readonly NativeIntegration[]> =>
  (await listItems(config, nativeIntegrationsPk(site), "")).map(fromItem);

/** Which event types the site's integrations report already. */
export const createNativeSources = (config: ConfigTable): NativeSources => ({
  async reporting(site) {
    const integrations = await listNativeIntegrations(config, site);
    return integrations
      .filter(({ sealedSecret }) => sealedSecret !== null)
      .map(({ kind }) => ({ kind, eventType: NATIVE_SOURCES[kind].event.name }));
  },
});

interface NewNativeIntegration {
  readonly workspace: number;
  readonly site: number;
  readonly kind: NativeKind;
  readonly signingSecret?: string;
}

/** Connects the site to a service: makes the URL its webhook is pointed at. Throws CONFLICT when it is connected already. */
export async function createNativeIntegration(
  { dynamo, table, secrets }: NativeTables,
  { workspace, site, kind, signingSecret }: NewNativeIntegration,
  { now, random }: { readonly now: Instant; readonly random: RandomBytes },
): Promise<NativeIntegration> {
  const own = { id: newId("nint", now, random), site };
  const secret = newSecret(random);
  const item: z.input<typeof itemSchema> = {
    ...own,
    workspace,
    kind,
    secret_hash: hashSecret(secret),
    sealed_token: await secrets.seal(formatNativeToken({ site, secret }), tokenContext(own)),
    signing_secret: signingSecret && (await secrets.seal(signingSecret, secretContext(own))),
    forward_to_ads: false,
    count_first_invoices: false,
    created: now,
  };
  await dynamo
    .send(
      new PutCommand({
        TableName: table,
        Item: { ...nativeIntegrationKey(site, kind), ...item },
        ConditionExpression: "attribute_not_exists(pk)",
      }),
    )
    .catch(orThrow(new ApiError("CONFLICT", `The site has an integration with ${kind} already.`)));
  return fromItem(item);
}

export interface NativeChange {
  readonly signingSecret?: string | undefined;
  readonly forwardToAds?: boolean | undefined;
  readonly countFirstInvoices?: boolean | undefined;
}

/** Changes what is given and leaves the rest. Throws NOT_FOUND when the integration was deleted meanwhile. */
export async function updateNativeIntegration(
  { dynamo, table, secrets }: NativeTables,
  integration: NativeIntegration,
  { signingSecret, forwardToAds, countFirstInvoices }: NativeChange,
): Promise<NativeIntegration> {
  const { site, kind, id } = integration;
  const sealed = signingSecret && (await secrets.seal(signingSecret, secretContext(integration)));
  const changes = Object.entries({
    signing_secret: sealed,
    forward_to_ads: forwardToAds,
    count_first_invoices: countFirstInvoices,
  }).filter(([, value]) => value !== undefined);
  if (changes.length === 0) return integration;
  const result = await dynamo
    .send(
      new UpdateCommand({
        TableName: table,
        Key: nativeIntegrationKey(site, kind),
        UpdateExpression: `SET ${changes.map(([name]) => `${name} = :${name}`).join(", ")}`,
        ConditionExpression: "id = :id",
        ExpressionAttributeValues: {
          ":id": id,
          ...Object.fromEntries(changes.map(([name, value]) => [`:${name}`, value])),
        },
        ReturnValues: "ALL_NEW",
      }),
    )
    .catch(orThrow(new ApiError("NOT_FOUND")));
  return fromItem(result.Attributes);
}

/** Ends an integration: its URL is dead at once. Throws NOT_FOUND when it is gone already. */
export async function deleteNativeIntegration(
  { dynamo, table }: ConfigTable,
  { site, kind, id }: NativeIntegration,
): Promise<void> {
  await dynamo
    .send(
      new DeleteCommand({
        TableName: table,
        Key: nativeIntegrationKey(site, kind),
        ConditionExpression: "id = :id",
        ExpressionAttributeValues: { ":id": id },
      }),
    )
    .catch(orThrow(new ApiError("NOT_FOUND")));
}

/** Turns a failed condition into what it means. */
const orThrow =
  (meaning: ApiError) =>
  (error: unknown): never => {
    throw isConditionFailure(error) ? meaning : error;
  };
