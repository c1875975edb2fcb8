/** Cookies and local storage, either of which a browser may refuse: then reading yields nothing and writing does nothing. */

export function readCookie(name: string): string | undefined {
  try {
    return document.cookie.match(`(?:^|; )${name}=([^;]*)`)?.[1];
  } catch {
    return undefined;
  }
}

/** 400 days, the longest a browser keeps one. */
export function writeCookie(name: string, value: string, domain: string | undefined): void {
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser, and asynchronous.
    document.cookie = `${name}=${value};path=/;max-age=34560000;samesite=lax${
      location.protocol === "https:" ? ";secure" : ""
    }${domain ? `;domain=${domain}` : ""}`;
  } catch {
    // Refused, as in a sandboxed frame.
  }
}

export function readLocal(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function writeLocal(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Blocked or full.
  }
}
