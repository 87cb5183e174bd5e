import { limitReached } from '@scriptorium/contracts';
import { defineAggregate } from '@scriptorium/event-sourcing';
import { numberEvents, type NumberEvent } from '../change-request.events.js';

/** The last number that a change request of the space has got. */
export interface Numbers {
  last: number;
}

function evolve(_state: Numbers, event: NumberEvent): Numbers {
  return { last: event.data.number };
}

/**
 * The numbers of the change requests of a space, one stream each, so that of many created at once each gets its own.
 */
export const numbers = defineAggregate({
  service: 'collaboration',
  entity: 'numbers',
  events: numberEvents,
  initial: { last: 0 },
  evolve,
});

/**
 * Gives a change request the next number. `limit`: change requests that a space can have. @throws AppError
 * `limit_reached`
 */
export function assign(
  { last }: Numbers,
  { changeRequest, limit }: { changeRequest: string; limit: number },
): NumberEvent[] {
  if (last >= limit) throw limitReached('changeRequestsPerSpace', limit);
  return [{ type: 'ChangeRequestNumbered', data: { changeRequest, number: last + 1 } }];
}
