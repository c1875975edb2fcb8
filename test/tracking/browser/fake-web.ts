import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A hit as it reached the collector, with the request it came in. */
export interface Received {
  readonly kind: string;
  readonly t: number;
  readonly first: boolean;
  readonly visit: { id: string; start: number; url: string; referrer: string; ids: Record<string, string> };
  readonly page: { id: string; index: number; url: string; t: number };
  readonly visibleMs?: number;
  readonly contact?: unknown;
  readonly name?: string;
  readonly properties?: unknown;
  readonly request: {
    site: number;
    evid: string;
    now: number;
    gpc: boolean;
    contentType: string;
    origin: string;
  };
}

export interface FakeWeb {
  /** `http://<name>.localhost:<port>` of a web site whose pages all carry the tag. */
  site(name: string): string;
  readonly collector: string;
  readonly hits: Received[];
  /** What pages are served as; a test may change it. */
  page: { tag: (collector: string) => string; headers: Record<string, string>; body: string };
  /** Status of the collector's next answers; 202 when there are none left. */
  answers: number[];
  close(): Promise<void>;
}

export const TAG = (collector: string): string =>
  `<script async src="${collector}/t.js" data-site="1"></script>`;

/** Web sites and a collector on this machine: enough of the world for a real browser. */
export async function startFakeWeb(snippet: string): Promise<FakeWeb> {
  const hits: Received[] = [];
  const collector = createServer((request, response) => {
    response.setHeader("access-control-allow-origin", request.headers.origin ?? "*");
    if (request.url === "/t.js") {
      response.setHeader("content-type", "text/javascript").end(snippet);
      return;
    }
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const status = web.answers.shift() ?? 202;
      const { hits: some, ...envelope } = JSON.parse(body);
      const headers = {
        contentType: request.headers["content-type"],
        origin: request.headers.origin,
        path: request.url,
      };
      for (const hit of some) {
        if (status === 202) hits.push({ ...hit, request: { ...envelope, ...headers } });
      }
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
  });
  const sites = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html", ...web.page.headers });
    response.end(
      `<!doctype html><title>x</title>${web.page.tag(web.collector)}<body>${web.page.body}</body>`,
    );
  });
  const [collectorPort, sitesPort] = await Promise.all([listen(collector), listen(sites)]);
  const web: FakeWeb = {
    site: (name) => `http://${name}.localhost:${sitesPort}`,
    collector: `http://127.0.0.1:${collectorPort}`,
    hits,
    page: { tag: TAG, headers: {}, body: "" },
    answers: [],
    close: async () => {
      await Promise.all([close(collector), close(sites)]);
    },
  };
  return web;
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
