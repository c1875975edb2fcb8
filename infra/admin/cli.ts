import { parseArgs } from "node:util";
import * as z from "zod";
import { hashPassword } from "../../shared/domain/access/password";
import { ApiError } from "../../shared/domain/errors";
import { systemRandom } from "../../shared/lambda/random";
import { systemClock } from "../../shared/ports/clock";
import { BadNews, type Command } from "./command";
import { COMMANDS } from "./commands";
import { choosePassword } from "./password-input";
import { findTarget } from "./target";

/** `npm run admin -- <command> [options]`: answers JSON on standard output; what went wrong, in a line, on the other. */
async function main([name = "", ...args]: readonly string[]): Promise<number> {
  const command = COMMANDS[name];
  if (!command) {
    console.error(usage(name));
    return name === "" || name === "help" || name === "--help" ? 0 : 2;
  }
  const target = findTarget(process.env);
  console.error(`On ${target.where}:`);
  const answer = await command.run(optionsOf(command, args), {
    config: target,
    tableOf: target.tableOf,
    now: systemClock(),
    clock: systemClock,
    random: systemRandom,
    hashPassword: (password) => hashPassword(password, systemRandom),
    choosePassword: (fromStdin) => choosePassword(fromStdin, systemRandom),
    say: (line) => console.error(line),
  });
  console.log(JSON.stringify(answer, null, 2));
  return 0;
}

function optionsOf({ options }: Command, args: readonly string[]) {
  const isFlag = (schema: z.core.$ZodType) => z.safeParse(schema, true).success;
  const known = Object.entries(options.shape).map(
    ([option, schema]) => [option, { type: isFlag(schema) ? "boolean" : "string" } as const] as const,
  );
  return parseArgs({ args: [...args], options: Object.fromEntries(known) }).values;
}

function usage(name: string): string {
  const lines = Object.entries(COMMANDS).map(([command, { summary, options }]) => {
    const flags = Object.entries(options.shape).map(([option, schema]) =>
      z.safeParse(schema, undefined).success ? ` [--${option}]` : ` --${option}`,
    );
    return `  ${command}${flags.join("")}\n      ${summary}`;
  });
  const opening = name === "" || name.endsWith("help") ? [] : [`There is no command ${name}.`, ""];
  return [...opening, "npm run admin -- <command> [options]", "", ...lines].join("\n");
}

/** One line for people; anything unexpected keeps its own words. */
function explain(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof z.ZodError) {
    return error.issues
      .map(({ path, message }) => `${path.length ? `--${path.join(".")}: ` : ""}${message}`)
      .join("\n");
  }
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: string }).code;
  return code === "ECONNREFUSED" ? "Nothing answers there. Is the local run up (npm start)?" : error.message;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    if (error instanceof BadNews) console.log(JSON.stringify(error.answer, null, 2));
    console.error(explain(error));
    process.exitCode = 1;
  },
);
