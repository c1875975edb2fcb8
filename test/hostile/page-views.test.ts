import { CHROME } from "./inputs";
import { type Service, startService } from "./service";

let service: Service;
beforeAll(async () => {
  service = await startService();
}, 60_000);
afterAll(() => service.close());

/** Addresses of pages, as nobody but an attacker would enter on them. */
const PAGES = [
  ...[97, 98, 99, 100].map((length) => `/?utm_source=${"z".repeat(length)}%F0%9F%98%80%F0%9F%98%80`),
  `/?utm_source=${"x".repeat(7_000)}`,
  `/${"p/".repeat(4_000)}`,
  "/?utm_source=%00%01%1b&utm_campaign=%ff%fe",
  "/?utm_source=%EF%BF%BE%EF%BF%BF",
  "/?utm_source=__proto__&gclid=constructor",
  "/?utm_source=(other)",
  "/%ff%00%2f%5c..%2f",
  "/?utm_source=jane%40mail.example",
  "/u/jane%2540mail.example/+14155550123",
];

test("every visit counts, whatever its address, and no other visit with it is lost", async () => {
  const honest = PAGES.map((_, i) => `/honest-${i}?utm_source=newsletter`);
  await Promise.all([...PAGES, ...honest].map(view));
  const figures = await figuresOf(PAGES.length + honest.length);
  expect(figures.totals.sessions).toBe(PAGES.length + honest.length);
  expect(figures.by_source).toContainEqual(
    expect.objectContaining({ source: "newsletter", sessions: honest.length }),
  );
  expect(JSON.stringify(figures)).not.toContain("jane");
  expect(service.troubles()).toEqual([]);
});

/** A page view of a visitor of its own. */
async function view(path: string, i: number): Promise<void> {
  const { base_url, sites } = service.demo;
  const now = Date.now();
  const id = `hostile-${String(i).padStart(4, "0")}`;
  const url = `${base_url}${path}`;
  const hit = {
    ...{ kind: "pageview", t: now, first: true },
    visit: { id, start: now, url },
    page: { id, index: 0, t: now, url },
  };
  const { status, text } = await service.call({
    ...{ method: "POST", path: "/api/collect", headers: { "user-agent": CHROME, origin: base_url } },
    body: JSON.stringify({ site: sites[0]?.site_id, evid: id, now, hits: [hit] }),
  });
  expect([status, text]).toEqual([202, '{"accepted":1}']);
}

interface Figures {
  readonly totals: { readonly sessions: number };
  readonly by_source: readonly { readonly source: string; readonly sessions: number }[];
}

/** The figures once `sessions` are in; the test's own time limit ends the wait. */
async function figuresOf(sessions: number): Promise<Figures> {
  const { api_key, sites } = service.demo;
  const path = `/v1/overview?site_id=${sites[0]?.site_id}&period=last_7d`;
  const headers = { authorization: `Bearer ${api_key}`, "cache-control": "no-cache" };
  for (;;) {
    const { text } = await service.call({ method: "GET", path, headers });
    const figures = JSON.parse(text) as Figures;
    if (figures.totals.sessions >= sessions) return figures;
    await new Promise((wake) => setTimeout(wake, 200));
  }
}
