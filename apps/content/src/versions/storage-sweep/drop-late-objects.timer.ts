import { AppError } from '@scriptorium/contracts';
import type { StoreScope, TimerHandler } from '@scriptorium/event-sourcing';
import * as z from 'zod';
import { branches } from '../branches/index.js';
import type { ContentObjects } from '../object-store/index.js';

/** The command of the timers that look at a pool again that was removed. */
export const lateObjectsCommand = 'drop_late_objects';

/** Longer than any request or step of a run that stores something takes, ms. */
const afterMs = 3_600_000;
/** For how long one timer removes what it finds, ms. */
const dropMs = 5_000;

const Dropped = z.object({ pool: z.string() });

/**
 * A request that had begun before its space was purged may store something afterwards, which no revision gets to name.
 */
export async function lookAgainAt(store: StoreScope, objects: ContentObjects, pool: string): Promise<void> {
  const data: z.input<typeof Dropped> = { pool };
  const at = objects.now() + afterMs;
  await store.schedule({ id: `${lateObjectsCommand}:${pool}`, at, command: lateObjectsCommand, data });
}

export function lateObjectsTimer(objects: ContentObjects): TimerHandler {
  return async ({ data }, store) => {
    const { pool } = Dropped.parse(data);
    if (!store.isLive([branches]))
      throw new AppError('unavailable', [], { message: 'The branches of content are not known yet' });
    if ((await store.read(branches).count({ pool })) > 0) return;
    const until = objects.now() + dropMs;
    if (!(await objects.dropPool(pool, () => objects.now() > until))) await lookAgainAt(store, objects, pool);
  };
}
