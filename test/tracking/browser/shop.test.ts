import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { shopPages } from "../../../infra/local/shop/shop";
import { bundleSnippet } from "../../../infra/snippet-bundle";
import { launchBrowser } from "../../support/browser";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(() => browser?.close());

test("a walk through the demo shop is a visit with every page, loaded or not, and a visitor to post a sale for", async () => {
  const { code } = await bundleSnippet();
  const paths: string[] = [];
  const pages = shopPages({ siteId: 7, purchaseUrl: "/sale" });
  const server = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    if (path === "/t.js") return void response.end(code);
    if (pages[path]) return pages[path](request, response);
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const { hits = [], site } = JSON.parse(body);
      for (const hit of hits)
        if (hit.kind === "pageview") paths.push(`${site} ${new URL(hit.page.url).pathname}`);
      response.end(path === "/sale" ? body : "{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  try {
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/shop?gclid=x`);
    await page.getByRole("link", { name: "Lookbook" }).click();
    await page.getByRole("link", { name: "Evening" }).click();
    await page.getByRole("heading", { name: "Evening" }).waitFor();
    await page.getByRole("link", { name: "Kettle" }).click();
    await page.getByRole("link", { name: "Buy" }).click();
    await page.waitForFunction(() => document.cookie.includes("_evid"));
    await page.getByRole("button", { name: "Post it" }).click();
    await page.waitForFunction(() => document.getElementById("answer")?.textContent);
    const sale = JSON.parse((await page.locator("#answer").textContent()) ?? "");
    expect(sale).toMatchObject({ evid: expect.stringMatching(/^\w{20,}$/), value: 89 });
    expect(paths).toEqual([
      "7 /shop",
      "7 /shop/lookbook",
      "7 /shop/lookbook/evening",
      "7 /shop/kettle",
      "7 /shop/thanks",
    ]);
    expect(errors).toEqual([]);
  } finally {
    await page.close();
    server.closeAllConnections();
    server.close();
  }
});
