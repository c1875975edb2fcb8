import { type Bucket, bucketAt, QUARTER } from "./bucket";
import { pack, unpack } from "./codec";
import type { AttentionFact, EngagementFact, PageviewFact, TrafficFact, VisitFact } from "./fact";

/**
 * A block holds traffic facts of one site and quarter as columns: a dictionary of strings, one row per visit
 * context (a visit's page views share it), and per kind of fact the columns that are left. Times are ms since
 * the quarter's start.
 */
interface BlockV1 {
  readonly v: 1;
  readonly quarter: number;
  readonly strings: string[];
  /** Visit, visitor, source, channel, country. */
  readonly contexts: [string[], number[], number[], number[], number[]];
  /** Context, time, path, is first (0 or 1). */
  readonly visits: [number[], number[], number[], number[]];
  /** Context, time, path, id. */
  readonly pageviews: [number[], number[], number[], string[]];
  /** Visit, time. */
  readonly engagements: [number[], number[]];
  /** Visit, time, path, id, visible ms. */
  readonly attentions: [number[], number[], number[], string[], number[]];
}

/** A block's bytes are kept below this, well under an item's 400 KB. */
const MAX_PLAIN_BYTES = 250_000;

/** Cuts facts of one quarter into runs that each fit a block, whatever their strings. Order is kept. */
export function splitIntoBlocks(facts: readonly TrafficFact[]): TrafficFact[][] {
  const blocks: TrafficFact[][] = [];
  let room = 0;
  for (const fact of facts) {
    const bytes = estimate(fact);
    if (bytes > room || blocks.length === 0) {
      blocks.push([]);
      room = MAX_PLAIN_BYTES;
    }
    blocks.at(-1)?.push(fact);
    room -= bytes;
  }
  return blocks;
}

/** At most four bytes a character in UTF-8, and the columns. */
function estimate(fact: TrafficFact): number {
  const path = fact.kind === "engagement" ? 0 : fact.path.length;
  const origin = "source" in fact ? fact.source.length + fact.channel.length + fact.country.length : 0;
  return 4 * (path + origin + fact.visit.length) + 64;
}

/** Encodes facts of one quarter. Throws a RangeError when they are of several. */
export function encodeBlock(facts: readonly TrafficFact[]): Uint8Array {
  const first = facts[0];
  if (!first) throw new RangeError("an empty block");
  const quarter = bucketAt("quarter", first.at).start;
  const strings = new Dictionary();
  const contexts = new Contexts(strings);
  const block: BlockV1 = {
    v: 1,
    quarter,
    strings: strings.entries,
    contexts: contexts.columns,
    visits: [[], [], [], []],
    pageviews: [[], [], [], []],
    engagements: [[], []],
    attentions: [[], [], [], [], []],
  };
  for (const fact of facts) {
    const time = fact.at - quarter;
    if (time < 0 || time >= QUARTER) throw new RangeError("a block holds facts of one quarter");
    switch (fact.kind) {
      case "visit":
        push(block.visits, contexts.add(fact), time, strings.add(fact.path), fact.isFirst ? 1 : 0);
        break;
      case "pageview":
        push(block.pageviews, contexts.add(fact), time, strings.add(fact.path), fact.id);
        break;
      case "engagement":
        push(block.engagements, strings.add(fact.visit), time);
        break;
      case "attention":
        push(
          block.attentions,
          strings.add(fact.visit),
          time,
          strings.add(fact.path),
          fact.id,
          fact.visibleMs,
        );
    }
  }
  return pack(block);
}

/** Inverse of {@link encodeBlock}, up to the order of facts of different kinds. */
export function decodeBlock(bytes: Uint8Array): TrafficFact[] {
  const block = unpack(bytes) as BlockV1;
  if (block.v !== 1) throw new Error(`unknown block version ${block.v}`);
  const text = (at: number | undefined): string => block.strings[at ?? -1] ?? "";
  const instant = (time: number | undefined): number => block.quarter + (time ?? 0);
  const contexts = block.contexts[0].map((visit, i) => ({
    visit,
    visitor: block.contexts[1][i] ?? 0,
    source: text(block.contexts[2][i]),
    channel: text(block.contexts[3][i]),
    country: text(block.contexts[4][i]),
  }));
  const context = (at: number): (typeof contexts)[number] => {
    const found = contexts[at];
    if (!found) throw new Error("a block that names a context it lacks");
    return found;
  };
  const facts: TrafficFact[] = [];
  block.visits[0].forEach((at, i) => {
    const [, times, paths, firsts] = block.visits;
    const fact: VisitFact = {
      kind: "visit",
      ...context(at),
      at: instant(times[i]),
      path: text(paths[i]),
      isFirst: firsts[i] === 1,
    };
    facts.push(fact);
  });
  block.pageviews[0].forEach((at, i) => {
    const [, times, paths, ids] = block.pageviews;
    const fact: PageviewFact = {
      kind: "pageview",
      ...context(at),
      at: instant(times[i]),
      path: text(paths[i]),
      id: ids[i] ?? "",
    };
    facts.push(fact);
  });
  block.engagements[0].forEach((visit, i) => {
    const fact: EngagementFact = {
      kind: "engagement",
      visit: text(visit),
      at: instant(block.engagements[1][i]),
    };
    facts.push(fact);
  });
  block.attentions[0].forEach((visit, i) => {
    const [, times, paths, ids, visible] = block.attentions;
    const fact: AttentionFact = {
      kind: "attention",
      visit: text(visit),
      at: instant(times[i]),
      path: text(paths[i]),
      id: ids[i] ?? "",
      visibleMs: visible[i] ?? 0,
    };
    facts.push(fact);
  });
  return facts;
}

/** The quarter a block's facts belong to. */
export const quarterOf = (fact: { readonly at: number }): Bucket => bucketAt("quarter", fact.at);

function push<Columns extends readonly unknown[][]>(
  columns: Columns,
  ...row: { [K in keyof Columns]: Columns[K] extends (infer T)[] ? T : never }
): void {
  columns.forEach((column, i) => {
    column.push(row[i]);
  });
}

class Dictionary {
  readonly entries: string[] = [];
  private readonly positions = new Map<string, number>();
  add(text: string): number {
    let at = this.positions.get(text);
    if (at === undefined) {
      at = this.entries.push(text) - 1;
      this.positions.set(text, at);
    }
    return at;
  }
}

class Contexts {
  readonly columns: BlockV1["contexts"] = [[], [], [], [], []];
  private readonly positions = new Map<string, number>();
  constructor(private readonly strings: Dictionary) {}
  add({ visit, visitor, source, channel, country }: VisitFact | PageviewFact): number {
    const origin = [source, channel, country].map((text) => this.strings.add(text)) as [
      number,
      number,
      number,
    ];
    const key = `${visit}\n${visitor}\n${origin}`;
    let at = this.positions.get(key);
    if (at === undefined) {
      at = this.columns[0].length;
      push(this.columns, visit, visitor, ...origin);
      this.positions.set(key, at);
    }
    return at;
  }
}
