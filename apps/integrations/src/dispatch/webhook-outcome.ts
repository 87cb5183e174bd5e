const minute = 60_000;
const hour = 60 * minute;
/** The pauses after attempts that failed, ms. */
const pausesMs = [5_000, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour];
/** A webhook of which nothing has arrived for so long is disabled, ms. */
const failsForMs = 5 * 24 * hour;

/** Whether what was sent has arrived: any status from 200 to 299 says so. Pure. */
export function hasArrived(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/**
 * The pause after an attempt at a webhook that failed, ms; `undefined` when there is no other one. `random`: from 0 to
 * 1, so that not all are tried again at the same moment. Pure.
 */
export function webhookPauseAfter(attempts: number, random: number): number | undefined {
  const pause = pausesMs[attempts - 1];
  return pause === undefined ? undefined : Math.round(pause * (1 + random / 10));
}

/** Whether a webhook is given up. `since`: when the first attempt after the last one that arrived failed, ms. Pure. */
export function isGivenUp(since: number, now: number): boolean {
  return now - since >= failsForMs;
}
