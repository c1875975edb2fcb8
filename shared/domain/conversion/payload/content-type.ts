/** What a `Content-Type` says, as far as it bears on reading a body. */
export interface ContentType {
  /** Lower case, like `application/json`; empty when absent. */
  readonly type: string;
  readonly charset: string | null;
}

/** Reads a `Content-Type` header. Total: whatever it holds, something is read from it. */
export function readContentType(header: string): ContentType {
  return {
    type: header.split(";", 1)[0]?.trim().toLowerCase() ?? "",
    charset: /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(header)?.[1] ?? null,
  };
}

/** JSON by name: `application/json`, `text/json`, `application/vnd.api+json`. */
export const saysJson = ({ type }: ContentType): boolean => /[/+]json$/.test(type);

export const saysForm = ({ type }: ContentType): boolean => type === "application/x-www-form-urlencoded";
