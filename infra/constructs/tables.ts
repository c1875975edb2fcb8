import { RemovalPolicy } from "aws-cdk-lib";
import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from "aws-cdk-lib/aws-dynamodb";
import type { Construct } from "constructs";
import { DUE_INDEX, TABLES, type TableId, type TableSpec } from "../../shared/storage/tables";

export type Tables = Readonly<Record<TableId, Table>>;

/**
 * The service's tables, from the one description the storage modules use. Unless `disposable`, they outlive the stack
 * and nobody deletes them by mistake.
 */
export function createTables(scope: Construct, disposable: boolean): Tables {
  const create = ([id, spec]: [TableId, TableSpec]): [TableId, Table] => [
    id,
    createTable(scope, `${id}Table`, spec, disposable),
  ];
  return Object.fromEntries((Object.entries(TABLES) as [TableId, TableSpec][]).map(create)) as Record<
    TableId,
    Table
  >;
}

function createTable(scope: Construct, id: string, spec: TableSpec, disposable: boolean): Table {
  const table = new Table(scope, id, {
    partitionKey: { name: "pk", type: AttributeType.STRING },
    sortKey: { name: "sk", type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.AWS_MANAGED,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: !disposable,
    removalPolicy: disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    ...(spec.ttl ? { timeToLiveAttribute: "ttl" } : {}),
  });
  if (spec.dueIndex) {
    table.addGlobalSecondaryIndex({
      indexName: DUE_INDEX,
      partitionKey: { name: "due_pk", type: AttributeType.STRING },
      sortKey: { name: "due_at", type: AttributeType.NUMBER },
      projectionType: ProjectionType.KEYS_ONLY,
    });
  }
  return table;
}
