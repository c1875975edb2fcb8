import { GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { Workspace } from "../../domain/access/member";
import { PLANS, type Plan } from "../../domain/access/principal";
import { ApiError } from "../../domain/errors";
import type { Instant } from "../../domain/instant";
import { isConditionFailure } from "../dynamo";
import { counterKey, workspaceKey } from "./config-keys";
import { type ConfigTable, nextNumber, readTogether } from "./config-table";

const workspaceItem = z.object({
  workspace: z.int(),
  name: z.string(),
  plan: z.enum(PLANS),
  created: z.int(),
  owners: z.int(),
});

/** A workspace as it is stored; throws when the item is not one. */
export const parseWorkspace = (item: unknown): Workspace => workspaceItem.parse(item);

/** Creates a workspace without members. Its first owner is created beside it, with `createMember`. */
export async function createWorkspace(
  config: ConfigTable,
  { name, plan }: { readonly name: string; readonly plan: Plan },
  now: Instant,
): Promise<Workspace> {
  const number = await nextNumber(config, "workspace");
  const workspace: Workspace = { workspace: number, name, plan, created: now, owners: 0 };
  await config.dynamo.send(
    new PutCommand({
      TableName: config.table,
      Item: { ...workspaceKey(number), ...workspace },
      ConditionExpression: "attribute_not_exists(pk)",
    }),
  );
  return workspace;
}

export async function findWorkspace(config: ConfigTable, workspace: number): Promise<Workspace | null> {
  const { Item } = await config.dynamo.send(
    new GetCommand({ TableName: config.table, Key: workspaceKey(workspace), ConsistentRead: true }),
  );
  return Item ? parseWorkspace(Item) : null;
}

/** Every workspace of the service, by number. For operators: no request of a customer needs it. */
export async function listWorkspaces(config: ConfigTable): Promise<readonly Workspace[]> {
  const { Item } = await config.dynamo.send(
    new GetCommand({ TableName: config.table, Key: counterKey("workspace"), ConsistentRead: true }),
  );
  const last = (Item?.last as number | undefined) ?? 0;
  const found: Workspace[] = [];
  for (let from = 1; from <= last; from += 100) {
    const numbers = Array.from({ length: Math.min(100, last - from + 1) }, (_, i) => from + i);
    found.push(...(await readTogether(config, numbers.map(workspaceKey))).map(parseWorkspace));
  }
  return found.sort((a, b) => a.workspace - b.workspace);
}

/** Changes the plan, which holds from the next request on (contract: API key states). Throws NOT_FOUND. */
export async function setPlan(config: ConfigTable, workspace: number, plan: Plan): Promise<Workspace> {
  try {
    const { Attributes } = await config.dynamo.send(
      new UpdateCommand({
        TableName: config.table,
        Key: workspaceKey(workspace),
        UpdateExpression: "SET #plan = :plan",
        ConditionExpression: "attribute_exists(pk)",
        ExpressionAttributeNames: { "#plan": "plan" },
        ExpressionAttributeValues: { ":plan": plan },
        ReturnValues: "ALL_NEW",
      }),
    );
    return parseWorkspace(Attributes);
  } catch (error) {
    throw isConditionFailure(error)
      ? new ApiError("NOT_FOUND", `There is no workspace ${workspace}.`)
      : error;
  }
}
