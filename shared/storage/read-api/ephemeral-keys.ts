/** Key strings of the Ephemeral table: its rate windows and cached answers. */

export const rateWindowKey = (key: string) => ({ pk: `rate#${key}`, sk: "-" });

export const cachedAnswerKey = (key: string, part: number) => ({ pk: `answer#${key}`, sk: String(part) });
