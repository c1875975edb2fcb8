import type * as z from "zod";
import type { FunctionModel, Statement } from "./model";
import type { Resources } from "./resources";
import * as schemas from "./schemas";

/** The functions, with what their roles grant and who may call them. */
export function readFunctions(resources: Resources): FunctionModel[] {
  const statements = statementsByRole(resources);
  const permissions = resources.each(
    "AWS::Lambda::Permission",
    schemas.permissionProperties,
    (permission) => permission,
  );
  return resources.each(
    "AWS::Lambda::Function",
    schemas.functionProperties,
    (properties, logicalId, resource) => {
      const name = resources.name(logicalId, resource);
      const arn = resources.arn(logicalId, resource);
      return {
        logicalId,
        name,
        arn,
        roleArn: properties.Role,
        codeDir: resources.codeDir(resource, properties.Code.S3Key),
        handler: properties.Handler,
        timeoutMs: properties.Timeout * 1000,
        memoryMb: properties.MemorySize,
        environment: properties.Environment?.Variables ?? {},
        statements: statements.get(properties.Role.split("/").at(-1) ?? "") ?? [],
        invokers: permissions
          .filter(({ FunctionName }) => FunctionName === arn || FunctionName === name)
          .map(({ Principal }) => Principal),
      };
    },
  );
}

/** By the name of the role: its own policies and those attached to it. */
function statementsByRole(resources: Resources): Map<string, Statement[]> {
  const byRole = new Map<string, Statement[]>();
  const add = (role: string, statements: z.infer<typeof schemas.statement>[]) =>
    byRole.set(role, [
      ...(byRole.get(role) ?? []),
      // An allowance under a condition is not granted: conditions are not judged here.
      ...statements
        .filter((one) => one.Effect === "Deny" || one.Condition === undefined)
        .map((one) => ({ effect: one.Effect, actions: one.Action, resources: one.Resource })),
    ]);
  resources.each("AWS::IAM::Role", schemas.roleProperties, (role, logicalId, resource) => {
    for (const policy of role.Policies) {
      add(resources.name(logicalId, resource), policy.PolicyDocument.Statement);
    }
  });
  resources.each("AWS::IAM::Policy", schemas.policyProperties, (policy) => {
    for (const role of policy.Roles) add(role, policy.PolicyDocument.Statement);
  });
  return byRole;
}
