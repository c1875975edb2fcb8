/**
 * Dependencies point inwards: functions -> shared/lambda, shared/storage, shared/adapters -> shared/application ->
 * shared/ports -> shared/domain.
 */
module.exports = {
  forbidden: [
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "domain-knows-only-itself",
      severity: "error",
      from: { path: "^shared/domain/" },
      to: { path: "^(shared/(?!domain/)|functions/|infra/|test/)" },
    },
    {
      name: "domain-knows-nothing-of-aws",
      severity: "error",
      from: { path: "^shared/(domain|ports)/" },
      to: {
        path: "node_modules/(@aws-sdk|@middy|aws-cdk-lib|@types/aws-lambda)",
      },
    },
    {
      name: "ports-know-only-the-domain",
      severity: "error",
      from: { path: "^shared/ports/" },
      to: { path: "^(shared/(?!domain/|ports/)|functions/|infra/|test/)" },
    },
    {
      name: "application-knows-domain-and-ports",
      severity: "error",
      from: { path: "^shared/application/" },
      to: { path: "^(shared/(?!domain/|ports/|application/)|functions/|infra/|test/)" },
    },
    {
      name: "shared-does-not-know-its-users",
      severity: "error",
      from: { path: "^shared/" },
      to: { path: "^(functions|infra|test)/" },
    },
    {
      name: "functions-do-not-know-each-other",
      severity: "error",
      from: { path: "^functions/([^/]+)/" },
      to: { path: "^functions/", pathNot: "^functions/$1/" },
    },
    {
      name: "functions-do-not-know-infra",
      severity: "error",
      from: { path: "^functions/" },
      to: { path: "^(infra|test)/" },
    },
    {
      name: "product-uses-no-dev-dependency",
      severity: "error",
      from: { path: "^(functions|shared)/" },
      to: {
        dependencyTypes: ["npm-dev"],
        dependencyTypesNot: ["type-only"],
        pathNot: "node_modules/@types/",
      },
    },
    {
      name: "not-to-unresolvable",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^aws-lambda$|(^|/)\\.build/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
      extensions: [".ts", ".mts", ".js", ".mjs", ".cjs", ".json"],
    },
  },
};
