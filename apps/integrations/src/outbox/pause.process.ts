import type { PauseReason } from '@scriptorium/contracts';
import type { StoreScope } from '@scriptorium/event-sourcing';
import { installation, pause } from '../installations/index.js';

/** Nothing is delivered to an installation any more, until somebody resumes it. Whether it was not paused before. */
export async function handlePause(store: StoreScope, id: string, reason: PauseReason): Promise<boolean> {
  const { events } = await store
    .step(`pause:${id}:${reason}`)
    .handle(installation, id, (state) => pause(state, reason));
  return events.length > 0;
}
