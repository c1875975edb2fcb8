import { createHash } from "node:crypto";

/** The entity tag of a body, the same as long as its text is. */
export const etagOf = (text: string): string =>
  `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;

/** Whether `If-None-Match` names the tag, so that 304 says all there is to say (RFC 9110, 13.1.2: a weak comparison). */
export const namesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? "").split(",").some((tag) => tag.trim() === "*" || opaque(tag) === opaque(etag));

const opaque = (tag: string): string => tag.trim().replace(/^W\//, "");
