import { accessKeyOf } from "../aws/endpoint";
import type { FunctionModel } from "../template/model";

/**
 * The environment Lambda would give the function: the template's variables and Lambda's own, and nothing of this
 * machine's. A setting is overridden only where the template names it.
 */
export function environmentOf(
  fn: FunctionModel,
  place: { readonly region: string; readonly awsUrl: string },
  settings: Readonly<Record<string, string>>,
): Record<string, string> {
  const overridden = Object.fromEntries(
    Object.entries(fn.environment).map(([name, value]) => [name, settings[name] ?? value]),
  );
  return {
    AWS_REGION: place.region,
    AWS_DEFAULT_REGION: place.region,
    AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
    AWS_LAMBDA_FUNCTION_NAME: fn.name,
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(fn.memoryMb),
    AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${fn.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: "local",
    LAMBDA_TASK_ROOT: fn.codeDir,
    _HANDLER: fn.handler,
    TZ: ":UTC",
    POWERTOOLS_SERVICE_NAME: fn.name,
    ...overridden,
    AWS_ENDPOINT_URL: place.awsUrl,
    AWS_ACCESS_KEY_ID: accessKeyOf(fn),
    AWS_SECRET_ACCESS_KEY: "local",
    // Whatever this machine has configured for AWS stays out.
    AWS_CONFIG_FILE: "/dev/null",
    AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
    AWS_EC2_METADATA_DISABLED: "true",
  };
}
