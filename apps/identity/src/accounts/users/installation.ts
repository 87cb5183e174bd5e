import { AppError } from '@scriptorium/contracts';
import { defineAggregate, unchanged } from '@scriptorium/event-sourcing';
import { type InstallationEvent, installationEvents } from './installation.events.js';

/**
 * Who claimed the installation, and which operators have left. There is one such stream, so only one first start can
 * succeed, and of operators who leave at the same time the last one is refused.
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

/** The id of the only installation stream. */
export const installationId = 'first';

/** Claims the installation. No event when the same token has claimed it. */
export function claimInstallation(
  state: Installation,
  input: { user: string; organization: string; token: string },
): InstallationEvent[] {
  if (state.status === 'unclaimed') return [{ type: 'InstallationClaimed', data: input }];
  if (state.token !== input.token)
    throw new AppError('conflict', [], { message: 'The installation already has its first user' });
  return [];
}

/** Whether none of these operators would be left without this one. */
export function isLastOperator(
  state: Installation,
  { user, operators }: { user: string; operators: readonly string[] },
): boolean {
  return operators.includes(user) && operators.every((id) => id === user || state.left.includes(id));
}

/**
 * Records that an operator leaves. No event for somebody who is no operator. `operators`: all that the read model
 * shows.
 */
export function recordOperatorLeft(
  state: Installation,
  input: { user: string; operators: readonly string[] },
): InstallationEvent[] {
  if (!input.operators.includes(input.user) || state.left.includes(input.user)) return [];
  if (isLastOperator(state, input)) throw new AppError('last_admin');
  return [{ type: 'OperatorLeft', data: { user: input.user } }];
}

/** Records that an operator who left stays after all. No event for somebody who did not leave. */
export function recordOperatorStayed({ left }: Installation, input: { user: string }): InstallationEvent[] {
  return left.includes(input.user) ? [{ type: 'OperatorStayed', data: input }] : [];
}
