import { AppError } from '@scriptorium/contracts';
import { defineAggregate, unchanged } from '@scriptorium/event-sourcing';
import { type ErasureEvent, erasureEvents } from '../../events/index.js';

/** The state of the erasure of a person. It can be refused until it is `erased`. */
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

/** One stream for each person who is erased. It is never deleted and holds only the id of the person. */
export const erasure = defineAggregate({
  service: 'identity',
  entity: 'erasure',
  events: erasureEvents,
  initial: { status: 'none' },
  evolve,
});

/** Begins the erasure. No event when it has begun or is finished. */
export function beginErasure({ status }: Erasure): ErasureEvent[] {
  return status === 'none' || status === 'refused' ? [{ type: 'UserErasureBegan', data: {} }] : [];
}

/** Refuses the erasure. No event when none is under way. */
export function refuseErasure({ status }: Erasure): ErasureEvent[] {
  return status === 'begun' ? [{ type: 'UserErasureRefused', data: {} }] : [];
}

/**
 * Finishes the erasure.
 * @throws AppError `conflict` when it was refused in the meantime
 */
export function finishErasure({ status }: Erasure, input: { user: string }): ErasureEvent[] {
  if (status === 'erased') return [];
  if (status !== 'begun') throw new AppError('conflict');
  return [{ type: 'UserErased', data: input }];
}
