import type { ServiceContext } from '@scriptorium/platform';
import { count, dayOf, dayMs, keptDays, type Happened } from './insights.operational.js';

/** The command of the timers that remove what was counted too long ago. */
export const sweepInsightsCommand = 'sweep_insights';

/** Counts what happens on sites, and sees to it that what was counted is removed in the end. */
export class InsightCounter {
  #scheduledFor = '';

  constructor(private readonly context: Pick<ServiceContext, 'database' | 'now' | 'store'>) {}

  /** `correlation`: what caused it. */
  async count(site: string, happened: readonly Happened[], correlation: string): Promise<void> {
    if (happened.length === 0) return;
    const now = this.context.now();
    await count(this.context, site, happened, now);
    await this.#sweepLater(dayOf(now), correlation);
  }

  /**
   * A day in which something is counted is followed by a removal, and by one when what was counted in it is too old.
   */
  async #sweepLater(day: string, correlation: string): Promise<void> {
    if (this.#scheduledFor === day) return;
    const next = Date.parse(day) + dayMs;
    for (const at of [next, next + keptDays * dayMs])
      await this.context.store.timers.schedule({
        id: `${sweepInsightsCommand}:${at}`,
        at,
        command: sweepInsightsCommand,
        data: null,
        organization: null,
        correlation,
      });
    this.#scheduledFor = day;
  }
}
