import { LocalFailure } from "../failure";

/** When a schedule fires: every so often, or at the minutes that fit (UTC). */
export type Timing = { readonly everyMs: number } | { readonly fits: (at: Date) => boolean };

const UNITS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/**
 * Reads `rate(5 minutes)` or `cron(minutes hours day-of-month month day-of-week year)`, both in UTC.
 * @throws LocalFailure for what it cannot read (the letters L, W and # of cron are not played)
 */
export function timing(expression: string): Timing {
  const [, amount, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (amount !== undefined && unit !== undefined) return { everyMs: Number(amount) * (UNITS[unit] ?? 0) };
  const fields = /^cron\(([^)]*)\)$/.exec(expression)?.[1]?.trim().split(/\s+/);
  if (fields?.length !== 6)
    throw new LocalFailure(`The schedule ${expression} is neither rate(...) nor cron(...).`);
  const [minutes, hours, days, months, weekdays, years] = fields.map((field, index) =>
    fieldOf(field, index, expression),
  );
  return {
    fits: (at) =>
      Boolean(
        minutes?.(at.getUTCMinutes()) &&
          hours?.(at.getUTCHours()) &&
          days?.(at.getUTCDate()) &&
          months?.(at.getUTCMonth() + 1) &&
          weekdays?.(at.getUTCDay() + 1) &&
          years?.(at.getUTCFullYear()),
      ),
  };
}

const NAMES: Readonly<Record<number, readonly string[]>> = {
  3: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"],
  4: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"],
};
/** Lowest value of each field, from which steps count. */
const LOWEST = [0, 0, 1, 1, 1, 1970];

function fieldOf(field: string, index: number, expression: string): (value: number) => boolean {
  const alternatives = field.split(",").map((part) => {
    const [, base = "", step] = /^([^/]+)(?:\/(\d+))?$/.exec(part) ?? [];
    const [from = "", to] = base.split("-");
    const any = base === "*" || base === "?";
    const low = any ? (LOWEST[index] ?? 0) : number(from, index, expression);
    const high = to !== undefined ? number(to, index, expression) : any || step !== undefined ? 9999 : low;
    return (value: number) => value >= low && value <= high && (value - low) % Number(step ?? 1) === 0;
  });
  return (value) => alternatives.some((fits) => fits(value));
}

function number(text: string, index: number, expression: string): number {
  const named = NAMES[index]?.indexOf(text.toUpperCase()) ?? -1;
  if (named >= 0) return named + 1;
  if (!/^\d+$/.test(text)) throw new LocalFailure(`The local run cannot read "${text}" in ${expression}.`);
  return Number(text);
}
