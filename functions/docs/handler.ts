import { ApiError } from "../../shared/domain/errors";
import { etagOf, namesEtag } from "../../shared/lambda/etag";
import type { HttpHandler } from "../../shared/lambda/http";
import { originOf } from "../../shared/lambda/origin";
import { describeForModels } from "./llms";
import { describeReadApi } from "./openapi";

interface Document {
  readonly type: string;
  /** Its text, with addresses of the service at `origin`. */
  write(origin: string): string;
}

const DOCUMENTS: Readonly<Record<string, Document>> = {
  "/api-docs/openapi.json": {
    type: "application/json; charset=utf-8",
    write: (origin) => JSON.stringify(describeReadApi(origin)),
  },
  "/api-docs/llms.txt": { type: "text/plain; charset=utf-8", write: describeForModels },
};

/** For everybody, also for pages of other origins: a documentation viewer is one. After a deployment, old for 5 minutes. */
const COMMON = { "cache-control": "public, max-age=300", "access-control-allow-origin": "*" };

/** Serves the read API's descriptions, with the addresses under which they were asked for. */
export const docsHandler: HttpHandler = async (request) => {
  const document = DOCUMENTS[request.path];
  if (!document) throw new ApiError("NOT_FOUND");
  const body = document.write(originOf(request));
  const headers = { ...COMMON, etag: `W/${etagOf(body)}` }; // weak: gzipped, it has other bytes
  if (namesEtag(request.headers["if-none-match"], headers.etag)) return { status: 304, headers };
  return { status: 200, headers: { ...headers, "content-type": document.type }, body };
};
