import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App, Stack } from "aws-cdk-lib";
import { FUNCTIONS } from "../../infra/manifest";
import { createServiceApp, STACK } from "../../infra/service-app";

const REPORT = "validation-report.json";

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
export type Properties = Record<string, Json>;

export interface Resource {
  readonly Type: string;
  readonly Properties: Properties;
  readonly DeletionPolicy?: string;
}

export interface Synthesis {
  readonly resources: Readonly<Record<string, Resource>>;
  /** The resources of a type, by logical id. */
  ofType(type: string): [string, Resource][];
  /** The properties of the resource with that logical id, which must exist. */
  properties(id: string): Properties;
  /** What cdk-nag and CloudFormation's validator found, one line each. */
  readonly findings: readonly string[];
}

/**
 * Synthesises the service around empty bundles. `change` may alter the stack first; findings that end the synthesis are
 * answered like any other.
 */
export function synthesise(change: (stack: Stack) => void = () => {}): Synthesis {
  const folder = mkdtempSync(join(tmpdir(), "synthesis-"));
  try {
    const outdir = join(folder, "cdk.out");
    const app = createServiceApp({ outdir, bundles: emptyBundles(folder) });
    change(app.node.findChild(STACK) as Stack);
    synthQuietly(app);
    const { Resources: resources } = read<{ Resources: Record<string, Resource> }>(
      outdir,
      `${STACK}.template.json`,
    );
    return {
      resources,
      ofType: (type) => Object.entries(resources).filter(([, resource]) => resource.Type === type),
      properties: (id) => {
        const resource = resources[id];
        if (!resource) throw new Error(`the template has no ${id}`);
        return resource.Properties;
      },
      findings: findingsIn(outdir),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function emptyBundles(folder: string): string {
  for (const name of Object.keys(FUNCTIONS)) {
    const directory = join(folder, "functions", name);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "index.cjs"), `exports.handler = async () => "${name}";`);
  }
  return join(folder, "functions");
}

function synthQuietly(app: App): void {
  const print = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    app.synth();
  } catch (error) {
    const reported = error instanceof Error && error.message.includes(REPORT);
    if (!reported) throw error;
  } finally {
    print.mockRestore();
  }
}

interface ValidationReport {
  readonly pluginReports: readonly {
    readonly violations: readonly {
      readonly ruleName: string;
      readonly description: string;
    }[];
  }[];
}

function findingsIn(outdir: string): string[] {
  return read<ValidationReport>(outdir, REPORT).pluginReports.flatMap(({ violations }) =>
    violations.map(({ ruleName, description }) => `${ruleName}: ${description}`),
  );
}

const read = <Content>(outdir: string, name: string): Content =>
  JSON.parse(readFileSync(join(outdir, name), "utf8")) as Content;
