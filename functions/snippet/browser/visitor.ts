import { readCookie, readLocal, writeCookie, writeLocal } from "./storage";

const COOKIE = "_evid";

/** 31 random bits short of nothing: each word becomes seven characters. */
export const newId = (words: number): string =>
  [...crypto.getRandomValues(new Uint32Array(words))].map((word) => (word + 2 ** 32).toString(36)).join("");

/**
 * The visitor's id, from the first-party cookie, which is renewed. Without cookies local storage keeps it, and without
 * either it lasts as long as the page.
 */
export function visitorId(cookieDomain: string | undefined): string {
  const kept = readCookie(COOKIE) ?? readLocal(COOKIE);
  const evid = kept && /^[\w.-]{8,64}$/.test(kept) ? kept : newId(4);
  writeCookie(COOKIE, evid, cookieDomain);
  if (readCookie(COOKIE) !== evid) writeLocal(COOKIE, evid);
  return evid;
}

/** Cookies of ad platforms that forwarding a conversion needs. */
export const browserIds = (): Record<string, string | undefined> => ({
  fbp: readCookie("_fbp"),
  fbc: readCookie("_fbc"),
  ttp: readCookie("_ttp"),
  ga: readCookie("_ga"),
});
