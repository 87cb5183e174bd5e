import { StopError } from '../stop-error.js';

const hour = 3_600_000;
const units: Readonly<Record<string, number>> = { h: hour, d: 24 * hour, w: 7 * 24 * hour };

/** The moment that `--since` names: so long before now, or a date, as ISO 8601. @throws StopError for anything else */
export function momentOf(since: string, now: number): string {
  const [, number = '', unit = ''] = /^(\d{1,5})([hdw])$/.exec(since) ?? [];
  const ago = units[unit];
  if (ago !== undefined) return new Date(now - Number(number) * ago).toISOString();
  const date = /^\d{4}-\d{2}-\d{2}(?:T.*)?$/.test(since) ? Date.parse(since) : Number.NaN;
  if (Number.isNaN(date)) throw new StopError(`--since must be like 30d, 12h or 4w, or a date, and not ${since}`);
  return new Date(date).toISOString();
}
