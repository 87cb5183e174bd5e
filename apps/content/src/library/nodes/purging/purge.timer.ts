import { AppError } from '@scriptorium/contracts';
import type { StoreScope, TimerHandler } from '@scriptorium/event-sourcing';
import * as z from 'zod';
import { recoverableForMs } from '../deletion.js';
import { purge } from './purge.run.js';

/** The command of the timers that have removed for good what was deleted seven days ago. */
export const purgeCommand = 'purge_deleted';

const Deletion = z.object({ organization: z.string(), node: z.string(), deletedAt: z.string() });

/** Schedules the purge of what was deleted. Another deletion of the same node takes the place of an earlier one. */
export async function schedulePurge(store: StoreScope, deletion: z.input<typeof Deletion>): Promise<void> {
  const { organization, node, deletedAt } = deletion;
  const at = Date.parse(deletedAt) + recoverableForMs;
  await store.in(organization).schedule({ id: `${purgeCommand}:${node}`, at, command: purgeCommand, data: deletion });
}

export const purgeTimer: TimerHandler = async ({ data }, store) => {
  const deletion = Deletion.safeParse(data);
  if (!deletion.success) throw new AppError('unexpected', [], { message: 'The timer does not name a deletion' });
  const { organization, node, deletedAt } = deletion.data;
  // The same deletion has another run in another organization, to which the node may have been transferred since.
  const id = `purge-${organization}-${node}-${Date.parse(deletedAt)}`;
  await store.in(organization).requestRun(purge, { id, input: deletion.data });
};
