import type { StoreScope, TimerHandler } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { configurations } from './sealed.operational.js';

/** The command of the timers that remove configurations which were replaced, and those of ended installations. */
export const dropConfigurationCommand = 'drop_configuration';

/** How long what was replaced is kept, ms: deliveries that tell of it may wait for so long. */
export const keptForMs = 30 * 24 * 3_600_000;

const Dropped = z.object({
  installation: z.string(),
  /** One version of a part; without it everything of the installation. */
  replaced: z.object({ part: z.string(), version: z.string() }).optional(),
});

/** Has a replaced configuration, or all of an installation that has ended, removed when nothing needs it any more. */
export async function dropLater(store: StoreScope, dropped: z.input<typeof Dropped>, time: string): Promise<void> {
  const { installation, replaced } = dropped;
  await store.schedule({
    id: [dropConfigurationCommand, installation, ...(replaced === undefined ? [] : [replaced.version])].join(':'),
    at: Date.parse(time) + keptForMs,
    command: dropConfigurationCommand,
    data: dropped,
  });
}

export function dropConfigurationTimer(context: Pick<ServiceContext, 'database'>): TimerHandler {
  return async ({ data }) => {
    const { installation: owner, replaced } = Dropped.parse(data);
    if (replaced === undefined) await configurations.dropAll(context, { owner });
    else await configurations.drop(context, [{ owner, ...replaced }]);
  };
}
