/**
 * Every route of the service, as the gateway writes them. The gateway sends here what none of them takes and does not say
 * whether the address exists, so this function has to know. A test holds the list equal to the deployed routes.
 */
export const ROUTES = [
  "GET /v1/overview",
  "GET /v1/revenue",
  "GET /v1/leads",
  "GET /v1/pages",
  "GET /v1/products",
  "GET /v1/users",
  "GET /v1/funnels",
  "POST /mcp",
  "GET /t.js",
  "POST /api/collect",
  "OPTIONS /api/collect",
  "POST /api/webhooks/in/{token}",
  "POST /api/webhooks/stripe/{token}",
  "POST /api/webhooks/calendly/{token}",
  "POST /api/auth/login",
  "POST /api/auth/logout",
  "ANY /api/manage/{proxy+}",
  "GET /api-docs/manage.json",
  "GET /api-docs/openapi.json",
  "GET /api-docs/llms.txt",
] as const;
