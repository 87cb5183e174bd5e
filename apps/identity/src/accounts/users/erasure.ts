import { AppError } from '@scriptorium/contracts';
import { defineAggregate, unchanged } from '@scriptorium/event-sourcing';
import { type ErasureEvent, erasureEvents } from '../../events/index.js';

/** How far the erasure of a person has come. With `erased` there is no way back; before that it may still be refused. */
export interface Erasure {
  status: 'none' | 'begun' | 'refused' | 'erased';
}

function evolve(state: Erasure, event: ErasureEvent): Erasure {
  switch (event.type) {
    case 'UserErasureBegan':
      return { status: 'begun' };
    case 'UserErasureRefused':
      return { status: 'refused' };
    case 'UserErased':
      return { status: 'erased' };
    default:
      return unchanged(state, event);
  }
}

/** By the person's id. Never deleted, and holds that id alone: it says that whoever had it was erased. */
export const erasure = defineAggregate({
  service: 'identity',
  entity: 'erasure',
  events: erasureEvents,
  initial: { status: 'none' },
  evolve,
});

/** Nothing when it is under way, or done. */
export function beginErasure({ status }: Erasure): ErasureEvent[] {
  return status === 'none' || status === 'refused' ? [{ type: 'UserErasureBegan', data: {} }] : [];
}

/** Nothing when none is under way. */
export function refuseErasure({ status }: Erasure): ErasureEvent[] {
  return status === 'begun' ? [{ type: 'UserErasureRefused', data: {} }] : [];
}

/** @throws AppError `conflict` when it was refused meanwhile. */
export function finishErasure({ status }: Erasure, input: { user: string }): ErasureEvent[] {
  if (status === 'erased') return [];
  if (status !== 'begun') throw new AppError('conflict');
  return [{ type: 'UserErased', data: input }];
}
