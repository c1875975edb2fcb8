import type { Running } from "./service";

/** An answer of the service. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape is what they test
  readonly body: any;
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined };
}

/** A tool that posts a conversion to a secret URL. */
export const post = async (url: string, payload: object): Promise<Answer> =>
  answerOf(
    await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(payload),
    }),
  );

interface Question {
  readonly site: number;
  /** Null sends no Authorization header. */
  readonly key: string | null;
  readonly fresh?: boolean;
  readonly query?: string;
}

/** Somebody with an API key asks for the overview of the last days. */
export const overview = async (
  { baseUrl }: Pick<Running, "baseUrl">,
  { site, key, fresh = true, query = "" }: Question,
): Promise<Answer> =>
  answerOf(
    await fetch(`${baseUrl}/v1/overview?site_id=${site}${query}`, {
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(fresh ? { "cache-control": "no-cache" } : {}),
      },
    }),
  );

/** A member at the dashboard, logged in. */
export async function logIn(
  { baseUrl }: Pick<Running, "baseUrl">,
  { email, password }: { readonly email: string; readonly password: string },
) {
  const login = await fetch(`${baseUrl}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: baseUrl },
    body: JSON.stringify({ email, password }),
  });
  const cookie = login.headers.getSetCookie()[0]?.split(";")[0];
  if (login.status !== 200 || !cookie) throw new Error(`logging in answered ${login.status}`);
  return async (method: string, path: string, body?: object): Promise<Answer> =>
    answerOf(
      await fetch(`${baseUrl}/api/manage${path}`, {
        method,
        headers: { cookie, origin: baseUrl, ...(body ? { "content-type": "application/json" } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    );
}

/** Looks until it finds what it looks for. Throws after `ms`. */
export async function within<Found>(
  ms: number,
  look: () => Promise<Found | false | undefined>,
): Promise<Found> {
  for (const deadline = Date.now() + ms; ; ) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`not within ${ms} ms`);
    await new Promise((wake) => setTimeout(wake, 50));
  }
}
