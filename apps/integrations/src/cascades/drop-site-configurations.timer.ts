import type { StoreScope, TimerHandler } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { isAnyQueuedFor, type Planner } from '../outbox/index.js';
import { configurations, keptForMs, partOf } from '../sealed/index.js';

/** The command of the timers that remove what was configured on deleted sites. */
export const dropSiteConfigurationsCommand = 'drop_site_configurations';

const firstWaitMs = 2_000;
const longestWaitMs = 10 * 60_000;

const Dropped = z.object({
  site: z.string(),
  /** What scripts are told of its end is planned when the log is planned up to here. */
  position: z.int(),
  /** ms; at latest. */
  until: z.number(),
  waitMs: z.number(),
});
type Dropped = z.output<typeof Dropped>;

/** Has the configurations on a site removed once scripts were told what they were, or after 30 days. */
export function dropWhenTold(
  store: StoreScope,
  { site, position, now }: { site: string; position: number; now: number },
): Promise<void> {
  return schedule(store, { site, position, until: now + keptForMs, waitMs: firstWaitMs }, now);
}

export function dropSiteConfigurationsTimer(
  context: Pick<ServiceContext, 'database' | 'now'>,
  planner: Pick<Planner, 'planned'>,
): TimerHandler {
  return async ({ data }, store) => {
    const dropped = Dropped.parse(data);
    const { site, position, until, waitMs } = dropped;
    const target = { kind: 'site', id: site } as const;
    const now = context.now();
    const areTold = (await planner.planned()) >= position && !(await isAnyQueuedFor(context, target));
    if (areTold || now >= until) return configurations.dropAll(context, { part: partOf(target) });
    return schedule(store, { ...dropped, waitMs: Math.min(2 * waitMs, longestWaitMs) }, now);
  };
}

function schedule(store: StoreScope, dropped: Dropped, now: number): Promise<void> {
  const at = Math.min(now + dropped.waitMs, dropped.until);
  const id = `${dropSiteConfigurationsCommand}:${dropped.site}:${at}`;
  return store.schedule({ id, at, command: dropSiteConfigurationsCommand, data: dropped });
}
