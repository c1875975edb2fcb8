import { randomUUID } from "node:crypto";
import { HOUR, SECOND } from "../../shared/domain/instant";

/** Where visits go and sales are posted. */
export interface LoadTarget {
  readonly baseUrl: string;
  readonly site: number;
  /** The secret URL for purchases. */
  readonly purchases: string;
}

interface Letter {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** Called when it was answered well, with the answer. */
  delivered(answer: string): void;
}

/** What a crowd has sent so far. */
export interface Crowd {
  /** Ids of page views the collector took, in the order it took them. */
  readonly views: string[];
  /** Every sale begun, its amount in cents by its order. */
  readonly sales: ReadonlyMap<string, number>;
  /** Orders answered 200, and how often each was called accepted: once, or the answer was lost with a run. */
  readonly accepted: ReadonlyMap<string, number>;
  /** Letters without a good answer, to be sent again. */
  readonly waiting: readonly unknown[];
  /** Sends, and sends again, until told to stop. */
  send(stop: AbortSignal): Promise<void>;
  /** Sends again what has no good answer, until everything has one. */
  settle(): Promise<void>;
}

const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
const VISITORS = 40;
const SENDERS = 4;
const PAUSE_MS = 30;

/** Visitors and a tool that never give up: a letter that got no good answer is sent again, unchanged. */
export function createCrowd({ baseUrl, site, purchases }: LoadTarget): Crowd {
  const waiting: Letter[] = [];
  const views: string[] = [];
  const sales = new Map<string, number>();
  const accepted = new Map<string, number>();
  const somebody = () => `visitor-${Math.floor(Math.random() * VISITORS)}`;

  /** A visit of one to three pages: half of them now, the others within the last hours, whose quarters are over. */
  function visit(): Letter {
    const now = Date.now();
    const start =
      Math.random() < 0.5 ? now - 40 * SECOND : now - Math.ceil(Math.random() * 20 * HOUR) - 40 * SECOND;
    const url = `http://localhost/shop?utm_source=source-${Math.floor(Math.random() * 5)}&utm_medium=cpc`;
    const id = randomUUID();
    const hits = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, (_, index) => {
      const t = start + index * 20 * SECOND;
      const page = { id: `page-${randomUUID()}`.slice(0, 40), index, url, t };
      return { kind: "pageview", t, first: true, visit: { id, start, url, ids: {} }, page };
    });
    return {
      url: `${baseUrl}/api/collect`,
      headers: { "content-type": "text/plain", origin: "http://localhost", "user-agent": BROWSER },
      body: JSON.stringify({ site, evid: somebody(), now, hits }),
      delivered(answer) {
        expect(JSON.parse(answer)).toEqual({ accepted: hits.length });
        views.push(...hits.map(({ page }) => page.id));
      },
    };
  }

  function sale(): Letter {
    const order = randomUUID();
    const cents = Math.floor(Math.random() * 100_000);
    sales.set(order, cents);
    const email = `${order}@example.com`;
    return {
      url: purchases,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ evid: somebody(), email, order_id: order, value: cents / 100, currency: "USD" }),
      delivered(answer) {
        const { outcome } = JSON.parse(answer);
        accepted.set(order, (accepted.get(order) ?? 0) + (outcome === "accepted" ? 1 : 0));
      },
    };
  }

  async function deliver(letter: Letter): Promise<void> {
    const { url, headers, body } = letter;
    const answer = await fetch(url, {
      method: "POST",
      headers,
      body,
      signal: AbortSignal.timeout(10 * SECOND),
    })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => ({ status: 503, text: "" })); // the run was killed
    if (answer.status < 500) {
      expect(answer.status).toBeLessThan(300);
      letter.delivered(answer.text);
      return;
    }
    waiting.push(letter);
    await new Promise((wake) => setTimeout(wake, PAUSE_MS));
  }

  async function sender(stop: AbortSignal, next: () => Letter): Promise<void> {
    while (!stop.aborted) await deliver(waiting.shift() ?? next());
  }

  return {
    views,
    sales,
    accepted,
    waiting,
    async send(stop) {
      const senders = Array.from({ length: SENDERS }, (_, n) => sender(stop, n % 2 ? sale : visit));
      await Promise.all(senders);
    },
    async settle() {
      while (waiting.length > 0) {
        await Promise.all(waiting.splice(0, SENDERS).map(deliver));
      }
    },
  };
}
