import { readdirSync } from "node:fs";
import { join } from "node:path";
import type * as z from "zod";
import { FUNCTIONS } from "../../infra/manifest";
import { type Json, synthesise } from "./synthesis";

const FOLDER = join(__dirname, "../../functions");

/** Variables for the runtime and the logger, which every function has. */
const OF_THE_RUNTIME = new Set(["NODE_OPTIONS", "POWERTOOLS_SERVICE_NAME"]);

const { resources, properties } = synthesise();
const names = Object.keys(FUNCTIONS);

describe("the functions of the manifest", () => {
  it("are the folders under functions/", () => {
    const folders = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).sort()).toEqual([...names].sort());
  });

  it.each(names)("%s is deployed with exactly the variables its schema asks for", async (name) => {
    const { envSchema } = (await import(join(FOLDER, name, "env"))) as { envSchema: z.ZodObject };
    expect(envSchema.strict().safeParse(environmentOf(name))).toEqual(
      expect.objectContaining({ success: true }),
    );
  });
});

/** What the deployed function would find in its environment. */
function environmentOf(name: string): Record<string, string> {
  const id = `${name[0]?.toUpperCase()}${name.slice(1)}Function`;
  const { Variables: variables } = properties(id).Environment as {
    Variables: Record<string, Json>;
  };
  const own = Object.entries(variables).filter(([variable]) => !OF_THE_RUNTIME.has(variable));
  return Object.fromEntries(own.map(([variable, value]) => [variable, deployed(value)]));
}

function deployed(value: Json): string {
  if (typeof value === "string") return value;
  const { Ref: id } = value as { Ref?: string };
  if (!id || !resources[id]) throw new Error(`no such reference: ${JSON.stringify(value)}`);
  const isQueue = resources[id].Type === "AWS::SQS::Queue";
  return isQueue ? `https://sqs.eu-west-1.amazonaws.com/123456789012/${id}` : id;
}
