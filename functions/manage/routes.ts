import { aiAccessRoutes } from "./resources/ai-access";
import { apiKeyRoutes } from "./resources/api-keys";
import { customEventRoutes } from "./resources/custom-events";
import { funnelRoutes } from "./resources/funnels";
import { meRoutes } from "./resources/me";
import { memberRoutes } from "./resources/members";
import { nativeIntegrationRoutes } from "./resources/native-integrations";
import { planRoutes } from "./resources/plan";
import { receiptRoutes } from "./resources/receipts";
import { receivingWebhookRoutes } from "./resources/receiving-webhooks";
import { siteRoutes } from "./resources/sites";
import type { Route } from "./route";

/** Every operation of the management API. To add a resource: a file in `resources/` and a row here. */
export const ROUTES: readonly Route[] = [
  ...meRoutes,
  ...planRoutes,
  ...memberRoutes,
  ...siteRoutes,
  ...apiKeyRoutes,
  ...funnelRoutes,
  ...nativeIntegrationRoutes,
  ...aiAccessRoutes,
  ...receivingWebhookRoutes,
  ...receiptRoutes,
  ...customEventRoutes,
];
