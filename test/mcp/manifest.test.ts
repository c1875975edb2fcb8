import { FUNCTIONS, type FunctionSpec } from "../../infra/manifest";
import { ENDPOINTS } from "../../shared/lambda/read-api/endpoints";

const functions: Readonly<Record<string, FunctionSpec>> = FUNCTIONS;
const names = ENDPOINTS.map(({ operation }) => operation.name);

test("every endpoint of /v1 is a tool", () => {
  const routes = Object.values(functions).flatMap((spec) => spec.routes ?? []);
  const served = routes.flatMap((route) => /^GET \/v1\/(\w+)$/.exec(route)?.[1] ?? []);
  expect([...names].sort()).toEqual(served.sort());
});

test.each(names)("the MCP function may do to tables what %s may, or its tool would fail", (name) => {
  for (const [table, actions] of Object.entries(functions[name]?.tables ?? {})) {
    expect(FUNCTIONS.mcp.tables[table as keyof typeof FUNCTIONS.mcp.tables]).toEqual(
      expect.arrayContaining([...actions]),
    );
  }
});
