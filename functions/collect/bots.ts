import { createIsbotFromList, isbot, list } from "isbot";

const HEADLESS = /headless/i;
const isOtherBot = createIsbotFromList(list.filter((pattern) => !HEADLESS.test(pattern)));
const THIS_MACHINE = /^(localhost|[a-z0-9-]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;

/**
 * Whether a request is not a person's. A service reached as `localhost` is reached by no crawler: there a headless
 * browser is a test, and counts.
 */
export function isBot(userAgent: string | undefined, serviceHost: string | undefined): boolean {
  if (!userAgent?.trim()) return true;
  return THIS_MACHINE.test(serviceHost ?? "") ? isOtherBot(userAgent) : isbot(userAgent);
}
