import { AppError } from '@scriptorium/contracts';
import type { CommandContext } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { hostnames } from './hostnames.reservation.js';
import { configure, organization } from './organization.js';

/**
 * Moves an organization to another hostname and frees the one it leaves.
 * @throws AppError `already_exists` when another organization has it.
 */
export async function changeHostname(context: ServiceContext, id: string, hostname: string, command: CommandContext): Promise<void> {
  const { store } = context;
  const before = await store.load(organization, id);
  if (before.status !== 'active' || before.hostname === hostname) return;
  try {
    await store.reservations.reserve(hostnames(context), { value: hostname, previous: before.hostname, owner: id, context: command }, () =>
      store.handle(organization, id, command, (state) => configure(state, { hostname })),
    );
  } catch (error) {
    if (error instanceof AppError && error.reason === 'already_exists') {
      throw new AppError('already_exists', [{ path: 'body.hostname', message: 'Another organization has this hostname' }]);
    }
    throw error;
  }
}
