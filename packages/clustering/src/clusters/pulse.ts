/** How many issues came in which week: keys are ISO 8601 weeks in UTC, such as `2026-W48`. */
export type Weeks = Readonly<Record<string, number>>;

const day = 86_400_000;
/** Weeks that a pulse shows. */
export const pulseWeeks = 13;

/** The ISO 8601 week of a moment in UTC: weeks begin on Monday, and a week belongs to the year of its Thursday. */
export function weekOf(moment: Date): string {
  const weekday = (moment.getUTCDay() + 6) % 7;
  const thursday = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() - weekday + 3));
  const year = thursday.getUTCFullYear();
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * day));
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** Issues of the last 13 weeks, the oldest first and the present one last. What is dated later is not shown. */
export function weeklyPulseOf(weeks: Weeks, now: Date): number[] {
  return Array.from({ length: pulseWeeks }, (_, index) => {
    const week = weekOf(new Date(now.getTime() - (pulseWeeks - 1 - index) * 7 * day));
    return Object.hasOwn(weeks, week) ? (weeks[week] ?? 0) : 0;
  });
}
