import { AppError } from '@scriptorium/contracts';
import { defineAggregate } from '@scriptorium/event-sourcing';
import { installationEvents, type InstallationEvent } from './installation.events.js';

/** Whose first start it was. The stream exists once, so only one first start can win. */
export type Installation = { status: 'unclaimed' } | { status: 'claimed'; user: string; organization: string; token: string };

export const installation = defineAggregate({
  service: 'identity',
  entity: 'installation',
  events: installationEvents,
  initial: { status: 'unclaimed' },
  evolve: (_state: Installation, event: InstallationEvent): Installation => ({ status: 'claimed', ...event.data }),
});

/** The one installation's id. */
export const installationId = 'first';

/** Claims the installation; nothing when the same claim was made before. */
export function claim(state: Installation, input: { user: string; organization: string; token: string }): InstallationEvent[] {
  if (state.status === 'unclaimed') return [{ type: 'InstallationClaimed', data: input }];
  if (state.token !== input.token) throw new AppError('conflict', [], { message: 'The installation has its first user' });
  return [];
}
