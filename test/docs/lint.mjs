// Reads an OpenAPI description from the standard input and prints what is wrong with it, as a JSON list of sentences: what
// Redocly's recommended rules say, warnings included, and whether it is valid under the OpenAPI schema. Run in a process of
// its own, because both linters are ES modules, which jest does not load.
import { text } from "node:stream/consumers";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";

const source = await text(process.stdin);
const config = await createConfig({ extends: ["recommended"] });
const problems = await lintFromString({ source, absoluteRef: "/openapi.json", config });
const { valid, errors } = await new Validator().validate(JSON.parse(source));
process.stdout.write(
  JSON.stringify([
    ...problems.map(({ ruleId, message, location: [at] }) => `${ruleId}: ${message} (${at?.pointer})`),
    ...(valid ? [] : [`schema: ${JSON.stringify(errors)}`]),
  ]),
);
