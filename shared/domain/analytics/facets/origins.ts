import type { Origin } from "../fact";
import { type FigureTable, type Key, OTHER } from "./figure-table";

/** The key of a row by source and channel. */
export const originKey = ({ source, channel }: Origin): Key => [source, channel];

/** Sources left out are folded within their channel, so that the figures of channels stay exact. */
export const foldOrigin = ([, channel = ""]: Key): Key => [OTHER, channel];

/** The rows of a table by source and channel. */
export const originRows = <Field extends string>(
  table: FigureTable<Field>,
): (Origin & Readonly<Record<Field, number>>)[] =>
  table.entries().map(({ key: [source = "", channel = ""], figures }) => ({ source, channel, ...figures }));
