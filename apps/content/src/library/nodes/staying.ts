import { AppError } from '@scriptorium/contracts';
import { keyedEntries } from '@scriptorium/event-sourcing';
import { isWithin, type Library } from './library-state.js';

/** Whether a node is being transferred to another organization, itself or with a collection that contains it. */
export function isLeaving(state: Library, id: string): boolean {
  if (state.departures.size === 0) return false;
  return keyedEntries(state.departures).some(([, { node }]) => node === id || isWithin(state, id, node));
}

/** Nothing changes while it is transferred. @throws AppError `conflict` */
export function requireStaying(state: Library, ...ids: (string | null)[]): void {
  if (ids.some((id) => id !== null && isLeaving(state, id)))
    throw new AppError('conflict', [], {
      message: 'It is being transferred to another organization at this moment',
      retryAfter: 1,
    });
}
