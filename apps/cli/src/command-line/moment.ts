import { StopError } from '../stop-error.js';

const hour = 3_600_000;
const units: Readonly<Record<string, number>> = { h: hour, d: 24 * hour, w: 7 * 24 * hour };

interface Given {
  /** The option, for messages. */
  option: string;
  text: string;
  /** Milliseconds since 1970. */
  now: number;
  /** Whether `30d` is 30 days from now on, or before now. */
  direction: 'ahead' | 'back';
}

/** The moment that an option names: so long from now, or a date, as ISO 8601. @throws StopError for anything else */
export function momentOf({ option, text, now, direction }: Given): string {
  const [, number = '', unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const length = units[unit];
  if (length !== undefined)
    return new Date(now + (direction === 'ahead' ? 1 : -1) * Number(number) * length).toISOString();
  const date = /^\d{4}-\d{2}-\d{2}(?:T.*)?$/.test(text) ? timeIn(text) : undefined;
  if (date === undefined) throw new StopError(`${option} must be like 30d, 12h or 4w, or a date, and not ${text}`);
  return date;
}

/**
 * The time that a text tells, as ISO 8601; `undefined` for what is none. `Date.parse` alone takes 30 February for
 * 2 March.
 */
export function timeIn(text: string): string | undefined {
  const [day] = /^\d{4}-\d{2}-\d{2}(?!\d)/.exec(text) ?? [];
  if (day !== undefined && new Date(day).getUTCDate() !== Number(day.slice(-2))) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
