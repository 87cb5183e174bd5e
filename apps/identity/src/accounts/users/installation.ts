import { AppError } from '@scriptorium/contracts';
import { defineAggregate, unchanged } from '@scriptorium/event-sourcing';
import { type InstallationEvent, installationEvents } from '../../events/index.js';

/**
 * Whose first start it was, and which operators have left. The stream exists once: only one first start can win, and of those
 * operators who go at the same moment one finds out that nobody else stays.
 */
export type Installation = { left: readonly string[] } & (
  { status: 'unclaimed' } | { status: 'claimed'; user: string; organization: string; token: string }
);

function evolve(state: Installation, event: InstallationEvent): Installation {
  switch (event.type) {
    case 'InstallationClaimed':
      return { left: state.left, status: 'claimed', ...event.data };
    case 'OperatorLeft':
      return { ...state, left: [...state.left, event.data.user] };
    case 'OperatorStayed':
      return { ...state, left: state.left.filter((user) => user !== event.data.user) };
    default:
      return unchanged(state, event);
  }
}

export const installation = defineAggregate({
  service: 'identity',
  entity: 'installation',
  events: installationEvents,
  initial: { status: 'unclaimed', left: [] },
  evolve,
});

/** The one installation's id. */
export const installationId = 'first';

/** Claims the installation; nothing when the same claim was made before. */
export function claim(
  state: Installation,
  input: { user: string; organization: string; token: string },
): InstallationEvent[] {
  if (state.status === 'unclaimed') return [{ type: 'InstallationClaimed', data: input }];
  if (state.token !== input.token)
    throw new AppError('conflict', [], { message: 'The installation has its first user' });
  return [];
}

/** Whether nobody of these operators would stay if this one went. */
export function isLastOperator(
  state: Installation,
  { user, operators }: { user: string; operators: readonly string[] },
): boolean {
  return operators.includes(user) && operators.every((id) => id === user || state.left.includes(id));
}

/** Lets an operator go; nothing for who is none. `operators`: all that are known. */
export function leave(state: Installation, input: { user: string; operators: readonly string[] }): InstallationEvent[] {
  if (!input.operators.includes(input.user) || state.left.includes(input.user)) return [];
  if (isLastOperator(state, input)) throw new AppError('last_admin');
  return [{ type: 'OperatorLeft', data: { user: input.user } }];
}

/** Has an operator stay who was about to go; nothing for who was not. */
export function stay({ left }: Installation, input: { user: string }): InstallationEvent[] {
  return left.includes(input.user) ? [{ type: 'OperatorStayed', data: input }] : [];
}
