const LABEL = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?";
const HOST = new RegExp(`^(?:${LABEL}\\.)+(?:${LABEL})$`);

/**
 * The host of what a person types or pastes as a site's domain (`https://www.Shop.example/de`, `shop.example:8080`):
 * lower case, punycode, without scheme, port, path, `www.` or trailing dot. Null for what names no public host; of
 * addresses only `localhost` and `127.0.0.1` are taken, for local work.
 */
export function normalizeDomain(text: string): string | null {
  const trimmed = text.trim();
  const address = /^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (/[\s\\@]/.test(trimmed) || !URL.canParse(address)) return null;
  const host = new URL(address).hostname.replace(/\.$/, "").replace(/^www\.(?=.*\.)/, "");
  if (host === "localhost" || (host === "127.0.0.1" && trimmed.includes(host))) return host;
  const isAddress = /\.\d+$/.test(host);
  return host.length <= 253 && HOST.test(host) && !isAddress ? host : null;
}
