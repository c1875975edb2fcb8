import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { passwordSchema } from "../../shared/domain/access/fields";
import type { RandomBytes } from "../../shared/domain/ids";

/** A password and, when it was made here, the copy to hand over. */
export interface ChosenPassword {
  readonly password: string;
  readonly generated?: string;
}

/**
 * A password for a member: with `fromStdin` the first line of standard input, else asked for without an echo at a
 * terminal, else (or for an empty answer) generated. Never an argument: those end up in shell histories and logs.
 */
export async function choosePassword(fromStdin: boolean, random: RandomBytes): Promise<ChosenPassword> {
  const given = fromStdin ? ((await text(process.stdin)).split(/\r?\n/)[0] ?? "") : await ask();
  if (given === "" && !fromStdin) {
    const generated = Buffer.from(random(15)).toString("base64url");
    return { password: generated, generated };
  }
  const parsed = passwordSchema.safeParse(given);
  if (!parsed.success) throw new Error(`The password ${parsed.error.issues[0]?.message}.`);
  return { password: parsed.data };
}

async function ask(): Promise<string> {
  if (!process.stdin.isTTY) return "";
  process.stderr.write("Password (empty to generate one): ");
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await new Promise((resolve) => reader.question("", resolve));
  } finally {
    reader.close();
    process.stderr.write("\n");
  }
}
