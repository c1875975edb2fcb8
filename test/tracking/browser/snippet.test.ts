import type { Browser, BrowserContext, Page } from "playwright-core";
import { bundleSnippet, SNIPPET_BUDGET_BYTES } from "../../../infra/snippet-bundle";
import { readEnvelope, readHit } from "../../../shared/domain/tracking/beacon";
import { launchBrowser } from "../../support/browser";
import { type FakeWeb, type Received, startFakeWeb, TAG } from "./fake-web";

let browser: Browser;
let web: FakeWeb;
let context: BrowserContext;
let page: Page;
let snippet: Awaited<ReturnType<typeof bundleSnippet>>;

beforeAll(async () => {
  snippet = await bundleSnippet();
  web = await startFakeWeb(snippet.code);
  browser = await launchBrowser();
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await web?.close();
});

const errors: string[] = [];
beforeEach(async () => {
  web.hits.length = 0;
  web.answers = [];
  web.page = { tag: TAG, headers: {}, body: "" };
  errors.length = 0;
  context = await browser.newContext();
  page = await context.newPage();
  page.on("pageerror", (error) => errors.push(error.message));
});
afterEach(async () => {
  await context.close();
  expect(errors).toEqual([]);
});

const shop = (path = "/") => web.site("shop") + path;

/** Waits until the collector has got so many hits of a kind. */
async function received(kind: string, count: number): Promise<Received[]> {
  const some = () => web.hits.filter((hit) => hit.kind === kind);
  for (const deadline = Date.now() + 8_000; some().length < count; ) {
    if (Date.now() > deadline) throw new Error(`got ${JSON.stringify(web.hits.map((hit) => hit.kind))}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return some();
}
async function onlyView(): Promise<Received> {
  const [view] = await received("pageview", 1);
  if (view === undefined) throw new Error("no page view");
  return view;
}
const cookie = async (name: string) => (await context.cookies()).find((one) => one.name === name);

/** Follows a link from the page shown, as a visitor does: with a referrer. */
async function follow(url: string): Promise<void> {
  await page.evaluate((href) => {
    const link = Object.assign(document.createElement("a"), { href, referrerPolicy: "unsafe-url" });
    document.body.append(link);
    link.click();
  }, url);
  await page.waitForURL(url);
}

test(`the snippet is under ${SNIPPET_BUDGET_BYTES} bytes gzipped`, () => {
  expect(snippet.gzipBytes).toBeLessThan(SNIPPET_BUDGET_BYTES);
});

describe("a page view", () => {
  test("is sent once, as a simple request, in the form the collector takes, with the ad kept", async () => {
    await page.goto(shop("/?utm_source=google&gclid=abc#top"));
    const view = await onlyView();
    expect(view).toMatchObject({
      kind: "pageview",
      first: true,
      visit: { url: shop("/?utm_source=google&gclid=abc#top"), referrer: "", start: view.t },
      page: { index: 0, t: view.t },
      request: { site: 1, gpc: false, contentType: "text/plain;charset=UTF-8", origin: web.site("shop") },
    });
    const { request, ...hit } = view;
    expect(readHit(hit)).not.toBeNull();
    expect(readEnvelope(Buffer.from(JSON.stringify({ ...request, hits: [hit] })))).not.toBeNull();
  });

  test("sets the visitor's cookie for 400 days and keeps it from page to page", async () => {
    await page.goto(shop());
    const first = await onlyView();
    const set = await cookie("_evid");
    expect(set).toMatchObject({
      value: first.request.evid,
      sameSite: "Lax",
      path: "/",
      domain: "shop.localhost",
    });
    expect((set?.expires ?? 0) - Date.now() / 1_000).toBeGreaterThan(399 * 86_400);
    await page.goto(shop("/b"));
    const [, second] = await received("pageview", 2);
    expect(second).toMatchObject({ first: false, request: { evid: first.request.evid }, page: { index: 1 } });
    expect(second?.visit.id).toBe(first.visit.id);
  });

  test("takes over a cookie the site's own server has set", async () => {
    await context.addCookies([{ name: "_evid", value: "set.by-the_server1", url: shop() }]);
    await page.goto(shop());
    expect((await onlyView()).request.evid).toBe("set.by-the_server1");
  });

  test("counts once with two copies of the tag", async () => {
    web.page.tag = (collector) => TAG(collector) + TAG(collector);
    await page.goto(shop());
    await page.goto(shop("/next"));
    expect(await received("pageview", 2)).toHaveLength(2);
  });

  test("that could not be sent is sent again unchanged, and begins the visit still", async () => {
    web.answers = [500];
    await page.goto(shop());
    const view = await onlyView();
    expect(view.first).toBe(true);
    expect(view.request.now).toBeGreaterThan(view.t + 1_000);
  });

  test("after an unanswered first one begins the visit too", async () => {
    web.answers = [403];
    await page.goto(shop());
    await page.waitForFunction(() => document.cookie.includes("_evid"));
    await page.goto(shop("/b"));
    const view = await onlyView();
    expect(view).toMatchObject({ first: true, page: { index: 1 }, visit: { url: shop() } });
  });
});

describe("a visit", () => {
  async function visitsAfter(...pages: (() => Promise<unknown>)[]): Promise<Received[]> {
    for (const [i, open] of pages.entries()) {
      await open();
      await received("pageview", i + 1);
    }
    return received("pageview", pages.length);
  }

  test("ends after 30 idle minutes, not before", async () => {
    await context.clock.install();
    const [a, b, c] = await visitsAfter(
      () => page.goto(shop("/a")),
      async () => {
        await context.clock.fastForward(29 * 60_000);
        await page.goto(shop("/b"));
      },
      async () => {
        await context.clock.fastForward(31 * 60_000);
        await page.evaluate(() => history.pushState({}, "", "/c"));
      },
    );
    expect(b?.visit.id).toBe(a?.visit.id);
    expect(c?.visit.id).not.toBe(a?.visit.id);
    expect(c).toMatchObject({ first: true, page: { index: 0 }, visit: { url: shop("/c"), referrer: "" } });
    expect(c?.request.evid).toBe(a?.request.evid);
  });

  test("ends with a new campaign, and not with the same one, nor with a reload of it", async () => {
    const [a, b, c, d] = await visitsAfter(
      () => page.goto(shop("/?gclid=1")),
      () => page.reload(),
      () => page.goto(shop("/b?gclid=1")),
      () => page.goto(shop("/b?gclid=2")),
    );
    expect([b?.visit.id, c?.visit.id]).toEqual([a?.visit.id, a?.visit.id]);
    expect(d?.visit.id).not.toBe(a?.visit.id);
    expect(d?.visit.url).toBe(shop("/b?gclid=2"));
  });

  test("ends with another site's link, but not with a way back over a payment page or one's own subdomain", async () => {
    const bare = { ...web.page, tag: () => "" };
    const from = async (site: string, to: string) => {
      const tagged = web.page;
      web.page = bare;
      await page.goto(`${site}/`);
      web.page = tagged;
      await follow(to);
    };
    const partner = web.site("partner");
    const [a, b, c, d] = await visitsAfter(
      () => page.goto(shop("/")),
      () => from(web.site("checkout.stripe"), shop("/paid")),
      () => from(web.site("blog.shop"), shop("/b")),
      () => from(partner, shop("/c")),
    );
    expect(c?.visit.id).toBe(b?.visit.id);
    expect([b?.visit.id === a?.visit.id, d?.visit.id === c?.visit.id]).toEqual([true, false]);
    expect(d?.visit.referrer).toBe(`${partner}/`);
  });
});

describe("a single-page app", () => {
  test("counts each address once: pushed, gone back to, not replaced with a tidier query, not a hash", async () => {
    await page.goto(shop("/"));
    await onlyView();
    await page.evaluate(() => {
      history.replaceState({}, "", "/?tidy=1");
      history.pushState({}, "", "/products");
      history.pushState({}, "", "/products");
      location.hash = "reviews";
      history.pushState({}, "", "/products?page=2");
    });
    await received("pageview", 3);
    await page.evaluate(() => history.back());
    await received("pageview", 4);
    await page.evaluate(() => history.replaceState({}, "", "/moved"));
    const views = await received("pageview", 5);
    expect(views.map(({ page: { url, index } }) => [url.slice(shop("").length), index])).toEqual([
      ["/", 0],
      ["/products", 1],
      ["/products?page=2", 2],
      ["/products#reviews", 3],
      ["/moved", 4],
    ]);
    expect(new Set(views.map(({ visit }) => visit.id)).size).toBe(1);
    expect(new Set(views.map((view) => view.page.id)).size).toBe(5);
  });

  test("may name its pages behind the hash", async () => {
    web.page.tag = (collector) => TAG(collector).replace("data-site", "data-hash data-site");
    await page.goto(shop("/#/"));
    await onlyView();
    await page.evaluate(() => {
      location.hash = "#/cart";
    });
    const [, cart] = await received("pageview", 2);
    expect(cart?.page).toMatchObject({ url: shop("/#/cart"), hash: true });
  });

  test("reports the time a page was seen with the page view after it", async () => {
    await page.goto(shop("/"));
    const first = await onlyView();
    const since = await page.evaluate(() => performance.now());
    await page.waitForFunction((then) => performance.now() - then > 30, since);
    await page.evaluate(() => history.pushState({}, "", "/b"));
    const [attention] = await received("attention", 1);
    expect(attention?.page.id).toBe(first.page.id);
    expect(attention?.visibleMs).toBeGreaterThan(20);
  });
});

describe("leaving", () => {
  test("sends the visible time by a beacon, for the page view it belongs to", async () => {
    await page.goto(shop("/"));
    const view = await onlyView();
    await page.evaluate(() => {
      const beacon = navigator.sendBeacon.bind(navigator);
      navigator.sendBeacon = (url, data) =>
        beacon(url, String(data).replace('"evid"', '"beacon":true,"evid"'));
    });
    await page.goto("about:blank");
    const [attention] = await received("attention", 1);
    expect(attention).toMatchObject({ page: { id: view.page.id, t: view.t }, request: { beacon: true } });
    expect(attention?.visibleMs).toBeGreaterThan(0);
    expect(readHit({ ...attention, request: undefined })).not.toBeNull();
  });

  test("and coming back out of the browser's cache is a page view of the same visit", async () => {
    await page.goto(shop("/"));
    await onlyView();
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
    const [first, again] = await received("pageview", 2);
    expect(again?.visit.id).toBe(first?.visit.id);
    expect(again?.page.id).not.toBe(first?.page.id);
  });
});

describe("where little is allowed", () => {
  test("a strict Content-Security-Policy is enough", async () => {
    const policy = `default-src 'none'; script-src ${web.collector}; connect-src ${web.collector}; require-trusted-types-for 'script'`;
    web.page.headers = { "content-security-policy": policy };
    const refused: string[] = [];
    page.on("console", (message) => refused.push(message.text()));
    await page.goto(shop("/"));
    await onlyView();
    expect(refused.filter((text) => /Content Security|TrustedScript/.test(text))).toEqual([]);
  });

  test("a policy that forbids it all costs the page nothing", async () => {
    web.page.headers = { "content-security-policy": `default-src 'none'; script-src ${web.collector}` };
    await page.goto(shop("/"));
    await page.waitForFunction(() => document.cookie.includes("_evid"));
    await page.evaluate(() => history.pushState({}, "", "/b"));
    expect(web.hits).toEqual([]);
  });

  test("Global Privacy Control is said, and no cookie of an ad platform is sent", async () => {
    await context.addCookies([{ name: "_fbp", value: "fb.1.1.1", url: shop() }]);
    await page.goto(shop("/"));
    expect((await onlyView()).visit.ids).toEqual({ fbp: "fb.1.1.1" });
    web.hits.length = 0;
    await context.addInitScript(() =>
      Object.defineProperty(navigator, "globalPrivacyControl", { value: true }),
    );
    await page.goto(shop("/b"));
    const view = await onlyView();
    expect(view.request.gpc).toBe(true);
    expect(view.visit.ids).toEqual({});
  });

  test("without cookies the visitor is kept by local storage", async () => {
    await context.addInitScript(() =>
      Object.defineProperty(Document.prototype, "cookie", { get: () => "", set: () => undefined }),
    );
    await page.goto(shop("/"));
    await received("pageview", 1);
    await page.goto(shop("/b"));
    const [a, b] = await received("pageview", 2);
    expect([b?.request.evid, b?.visit.id]).toEqual([a?.request.evid, a?.visit.id]);
  });

  test("without any storage the page still counts, and its app's pages belong to one visit", async () => {
    await context.addInitScript(() => {
      const refuse = () => {
        throw new DOMException("denied", "SecurityError");
      };
      Object.defineProperty(Document.prototype, "cookie", { get: refuse, set: refuse });
      Object.defineProperty(window, "localStorage", { get: refuse });
    });
    await page.goto(shop("/"));
    await received("pageview", 1);
    await page.evaluate(() => history.pushState({}, "", "/b"));
    const [a, b] = await received("pageview", 2);
    expect([b?.request.evid, b?.visit.id]).toEqual([a?.request.evid, a?.visit.id]);
  });

  test("garbage in storage is a new visit", async () => {
    await page.goto(shop("/"));
    await received("pageview", 1);
    await context.addInitScript(() => localStorage.setItem("_evid_visit_1", '{"id":7'));
    await page.goto(shop("/b"));
    const [a, b] = await received("pageview", 2);
    expect(b?.visit.id).not.toBe(a?.visit.id);
  });

  test("a page rendered ahead counts when it is shown", async () => {
    await context.addInitScript(() =>
      Object.defineProperty(document, "prerendering", { value: true, configurable: true }),
    );
    await page.goto(shop("/"));
    await page.waitForFunction(() => "_evid_sites" in window);
    expect(await cookie("_evid")).toBeUndefined();
    expect(web.hits).toEqual([]);
    await page.evaluate(() => document.dispatchEvent(new Event("prerenderingchange")));
    await onlyView();
  });

  test("a tag without a site does nothing", async () => {
    web.page.tag = (collector) => TAG(collector).replace('"1"', '"one"');
    await page.goto(shop("/"));
    await page.waitForLoadState("networkidle");
    expect(web.hits).toEqual([]);
  });
});

describe("the page's own calls", () => {
  test("identify and track are sent, those made before the script had loaded too, and nothing thrown back", async () => {
    web.page.tag = (collector) =>
      `<script>window.attribution=window.attribution||function(){(attribution.q=attribution.q||[]).push(arguments)};
       attribution("identify", {email: "jane@mail.example"});</script>${TAG(collector)}`;
    await page.goto(shop("/"));
    const [identify] = await received("identify", 1);
    expect(identify?.contact).toEqual({ email: "jane@mail.example" });
    await page.evaluate(() => {
      const call = (window as unknown as { attribution: (...args: unknown[]) => void }).attribution;
      call("track", "signup", { plan: "pro" });
      call("nonsense");
      call();
      const loop: { self?: unknown } = {};
      loop.self = loop;
      call("track", "loop", loop);
      call("track", "after");
    });
    const events = await received("event", 2);
    expect(events.map(({ name, properties }) => [name, properties])).toEqual([
      ["signup", { plan: "pro" }],
      ["after", {}],
    ]);
  });

  test("hits may go over a path of the site's own", async () => {
    web.page.tag = (collector) =>
      TAG(collector).replace("data-site", `data-endpoint="${collector}/stats/c" data-site`);
    await page.goto(shop("/"));
    expect((await onlyView()).request).toMatchObject({ path: "/stats/c" });
  });
});
