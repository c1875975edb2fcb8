/**
 * The first `length` UTF-16 units of `text`, less one where the cut would halve a character: half a character cannot be
 * stored, and one such text has the whole batch it is written with refused.
 */
export const clip = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
