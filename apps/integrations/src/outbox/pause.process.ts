import type { PauseReason } from '@scriptorium/contracts';
import type { StoreScope } from '@scriptorium/event-sourcing';
import { installation, pause } from '../installations/index.js';

/** Nothing is delivered to an installation any more, until somebody resumes it. */
export async function handlePause(store: StoreScope, id: string, reason: PauseReason): Promise<void> {
  await store.step(`pause:${id}:${reason}`).handle(installation, id, (state) => pause(state, reason));
}
