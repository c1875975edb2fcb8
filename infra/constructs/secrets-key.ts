import { RemovalPolicy } from "aws-cdk-lib";
import { Key } from "aws-cdk-lib/aws-kms";
import type { Construct } from "constructs";

/**
 * The key that seals the secrets in the tables: URLs of webhooks, signing secrets. Who may seal and who may open with it is
 * said by the roles of the functions. Without it they cannot be read again, so it outlives the stack unless `disposable`.
 */
export const createSecretsKey = (scope: Construct, disposable: boolean): Key =>
  new Key(scope, "SecretsKey", {
    description: "Seals secrets of webhooks and integrations",
    enableKeyRotation: true,
    removalPolicy: disposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
  });
