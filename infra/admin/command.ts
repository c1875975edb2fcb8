import * as z from "zod";
import type { RandomBytes } from "../../shared/domain/ids";
import type { Instant } from "../../shared/domain/instant";
import type { Clock } from "../../shared/ports/clock";
import type { ConfigTable } from "../../shared/storage/access/config-table";
import type { TableId } from "../../shared/storage/tables";
import type { ChosenPassword } from "./password-input";

/** What commands work with. */
export interface Context {
  readonly config: ConfigTable;
  /** The physical name of a table. Throws an Error that says what to set when it is not known. */
  readonly tableOf: (id: TableId) => string;
  readonly now: Instant;
  /** For commands that take long. */
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly hashPassword: (password: string) => Promise<string>;
  readonly choosePassword: (fromStdin: boolean) => Promise<ChosenPassword>;
  /** Tells the person how far it is, in a line. */
  readonly say: (line: string) => void;
}

export interface Command {
  readonly summary: string;
  /** Options by name; those of the type boolean take no value. */
  readonly options: z.ZodObject;
  run(given: unknown, context: Context): Promise<unknown>;
}

export function command<Options extends z.ZodObject>(
  summary: string,
  options: Options,
  run: (options: z.output<Options>, context: Context) => Promise<unknown>,
): Command {
  const error = (issue: { readonly input?: unknown }) =>
    issue.input === undefined ? "is required" : undefined;
  return { summary, options, run: async (given, context) => run(options.parse(given, { error }), context) };
}

/** The number of a workspace or site, as typed. */
export const wholeNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, "must be a whole number")
  .transform(Number);

/** Thrown with an answer that is to be printed and is bad news: the command ends with exit code 1. */
export class BadNews extends Error {
  override readonly name = "BadNews";
  constructor(
    message: string,
    readonly answer: unknown,
  ) {
    super(message);
  }
}
