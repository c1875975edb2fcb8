import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";

/** What ties the shop to the service it is served by. */
export interface ShopOptions {
  /** The site its pages are counted for. Its domain must be the host they are opened at (`localhost`). */
  readonly siteId: number;
  /** A receiving webhook for purchases; without one the last page only shows how it would be called. */
  readonly purchaseUrl?: string;
}

type Page = (incoming: IncomingMessage, response: ServerResponse) => void;

const PRODUCTS = [
  {
    sku: "mug",
    name: "Stone mug",
    price: "24",
    text: "Thrown by hand, glazed inside, left bare outside. 300 ml.",
  },
  {
    sku: "lamp",
    name: "Reading lamp",
    price: "129",
    text: "A warm circle on the page and nowhere else. Ash and brass.",
  },
  { sku: "kettle", name: "Iron kettle", price: "89", text: "Heavy, slow, and hot for an hour. 1.2 litres." },
];
const LOOKS = ["", "/morning", "/noon", "/evening"];

const file = (name: string): string => readFileSync(`infra/local/shop/${name}`, "utf8");

const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => values[name] ?? placeholder);

/** The demo shop: a static site whose pages carry the snippet. Pages by path; files are read at each request. */
export function shopPages({ siteId, purchaseUrl = "" }: ShopOptions): Record<string, Page> {
  const html =
    (title: string, body: string, values: Readonly<Record<string, string>> = {}): Page =>
    (_, response) => {
      const filled = fill(file(body), { ...values, purchaseUrl: JSON.stringify(purchaseUrl).slice(1, -1) });
      const page = fill(file("frame.html"), { title, body: filled, site: String(siteId) });
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
    };
  const style: Page = (_, response) => {
    response.writeHead(200, { "content-type": "text/css; charset=utf-8" }).end(file("style.css"));
  };
  return {
    "/shop": html("Home", "home.html"),
    "/shop/": html("Home", "home.html"),
    ...Object.fromEntries(PRODUCTS.map((one) => [`/shop/${one.sku}`, html(one.name, "product.html", one)])),
    ...Object.fromEntries(LOOKS.map((look) => [`/shop/lookbook${look}`, html("Lookbook", "lookbook.html")])),
    "/shop/thanks": html("Thank you", "thanks.html"),
    "/shop/style.css": style,
  };
}
