import { LocalFailure } from "../failure";
import type { AuthorizerModel, RouteModel } from "./model";
import type { Resources } from "./resources";
import * as schemas from "./schemas";

/** The routes of the HTTP API, each with its function, authorizer and limit. */
export function readRoutes(resources: Resources): RouteModel[] {
  const integrations = new Map(
    resources.each(
      "AWS::ApiGatewayV2::Integration",
      schemas.integrationProperties,
      (integration, logicalId) => [logicalId, integration],
    ),
  );
  const authorizers = new Map<string, AuthorizerModel>(
    resources.each("AWS::ApiGatewayV2::Authorizer", schemas.authorizerProperties, (authorizer, logicalId) => {
      if (authorizer.AuthorizerResultTtlInSeconds > 0) throw new LocalFailure("its results are cached.");
      return [
        logicalId,
        {
          functionArn: resources.functionArn(authorizer.AuthorizerUri),
          identitySources: authorizer.IdentitySource,
          simpleResponses: authorizer.EnableSimpleResponses,
        },
      ];
    }),
  );
  return resources.each("AWS::ApiGatewayV2::Route", schemas.routeProperties, (route) => {
    const integration = integrations.get(route.Target.replace(/^integrations\//, ""));
    if (!integration) throw new LocalFailure(`it leads to ${route.Target}, which is no integration.`);
    const authorizer = route.AuthorizerId === undefined ? undefined : authorizers.get(route.AuthorizerId);
    if (route.AuthorizerId !== undefined && !authorizer) throw new LocalFailure("its authorizer is missing.");
    return {
      key: route.RouteKey,
      functionArn: resources.functionArn(integration.IntegrationUri),
      timeoutMs: integration.TimeoutInMillis,
      ...(authorizer ? { authorizer } : {}),
    };
  });
}
