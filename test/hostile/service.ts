import { mkdtempSync, rmSync } from "node:fs";
import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { engineClientConfig } from "../../infra/local/engine/engine";
import { type Demo, seed } from "../../infra/local/seed";
import { startLocal } from "../../infra/local/service";
import { createServiceApp, STACK } from "../../infra/service-app";
import { createDynamo } from "../../shared/storage/dynamo";
import type { TableId } from "../../shared/storage/tables";

export interface Sent {
  readonly method: string;
  /** With its query, as it is to stand in the request line. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array;
}

export interface Heard {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly ms: number;
}

/** The whole service as it would be deployed, on this machine and in memory, with a site, a key and webhooks. */
export interface Service {
  readonly demo: Demo;
  /** What went wrong inside since it was last asked, one line each. */
  troubles(): string[];
  call(sent: Sent): Promise<Heard>;
  close(): Promise<void>;
}

/** Needs the bundles (`npm run build`). */
export async function startService(): Promise<Service> {
  const outdir = mkdtempSync(join(tmpdir(), "service-"));
  const { directory } = createServiceApp({ outdir, bundles: ".build/functions" }).synth();
  const reports: string[] = [];
  const local = await startLocal({
    templateFile: join(directory, `${STACK}.template.json`),
    report: (line) => reports.push(line),
  });
  const dynamo = createDynamo(engineClientConfig(local.dynamoUrl));
  const tables = local.tables as Record<TableId, string>;
  const demo = await seed({ ...local, dynamo, tables, demo: true });
  dynamo.destroy();
  const agent = new Agent({ keepAlive: true });
  return {
    demo,
    troubles: () => reports.splice(0),
    call: (sent) => call(local.baseUrl, agent, sent),
    async close() {
      agent.destroy();
      await local.close();
      rmSync(outdir, { recursive: true });
    },
  };
}

function call(baseUrl: string, agent: Agent, { method, path, headers = {}, body }: Sent): Promise<Heard> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const sent = request(
      `${baseUrl}/`,
      { method, path, headers: { ...headers, ...length }, agent },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const bytes = Buffer.concat(chunks);
          const isGzip = response.headers["content-encoding"] === "gzip" && bytes.length > 0;
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: (isGzip ? gunzipSync(bytes) : bytes).toString(),
            ms: performance.now() - begun,
          });
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}
