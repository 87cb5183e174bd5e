import { timeIn } from '../../command-line/moment.js';

/** What of a message may tell when it was written. */
export interface Dated {
  headers: readonly { key: string; value: string }[];
  /** The line that separates it from the message before. */
  separator: string;
}

/** A time as ISO 8601, and what tells it, if that is not the header `Date`. */
export interface MailTime {
  date: string | undefined;
  insteadOf?: string;
}

/** The API refuses what has not begun yet, and some mail has any date. */
const aheadMs = 86_400_000;

/** The time of a message: of its header `Date`, else when it was received, else when it was put into the mailbox. */
export function timeOfMail({ headers, separator }: Dated, now: number): MailTime {
  const latest = new Date(now + aheadMs).toISOString();
  const newest = (texts: readonly string[]): string | undefined =>
    texts
      .flatMap((text) => timeOf(text) ?? [])
      .filter((time) => time <= latest)
      .sort()
      .at(-1);
  const valuesOf = (name: string) => headers.flatMap(({ key, value }) => (key === name ? [value] : []));
  const told = newest(valuesOf('date').slice(0, 1));
  if (told !== undefined) return { date: told };
  const received = newest(valuesOf('received').map((value) => value.slice(value.lastIndexOf(';') + 1)));
  if (received !== undefined) return { date: received, insteadOf: 'a header Received' };
  return { date: newest([separator.replace(/^From \S+\s/, '')]), insteadOf: 'the line "From "' };
}

const dayOfMonth = /\b(?:(\d{1,2})[\s-]+([a-z]{3,9})|([a-z]{3})\s+(\d{1,2}))\b/i;
const yearOf = /(?<![+-])\b\d{4}\b/;
const zoned = /[+-]\d{4}|\d\s+[A-Z]{2,4}\b/;

/** `Mon, 23 Nov 2026 10:00:00 +0100` or `Mon Nov 23 10:00:00 2026`; in UTC, unless it says otherwise. */
function timeOf(text: string): string | undefined {
  const [day, dayBefore, month, monthBefore, dayBehind] = dayOfMonth.exec(text) ?? [];
  // Words with a number behind them are a date to `Date.parse`, too.
  if (day === undefined) return /^\s*\d{4}-\d\d-\d\d/.test(text) ? timeIn(text.trim()) : undefined;
  const number = dayBefore ?? dayBehind ?? '';
  // A day that its month does not have would be one of the next month.
  const exact = new Date(`${number} ${month ?? monthBefore ?? ''} ${yearOf.exec(text)?.[0] ?? '2000'} UTC`);
  return exact.getUTCDate() === Number(number) ? timeIn(zoned.test(text) ? text : `${text.trim()} UTC`) : undefined;
}
