import { AppError, blaming, isReservedHostname } from '@scriptorium/contracts';
import type { CommandContext } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { hostnames } from './hostnames.reservation.js';
import { configure, moveTo, organization, type Change } from './organization.js';

/**
 * Changes settings of an organization, all of them or none; a new hostname is reserved first and the one it leaves freed.
 * @throws AppError `already_exists` when another organization has the hostname, or none may.
 */
export async function changeSettings(context: ServiceContext, id: string, change: Change, command: CommandContext): Promise<void> {
  const { store } = context;
  const { hostname, ...others } = change;
  const from = hostname === undefined ? undefined : await currentHostname(context, id);
  if (hostname === undefined || from === undefined || from === hostname) {
    await store.handle(organization, id, command, (state) => configure(state, others));
    return;
  }
  if (isReservedHostname(hostname)) throw taken('No organization can have this hostname');
  try {
    await store.reservations.reserve(hostnames(context), { value: hostname, previous: from, owner: id, context: command }, () =>
      store.handle(organization, id, command, (state) => moveTo(state, from, change)),
    );
  } catch (error) {
    if (error instanceof AppError && error.reason === 'already_exists') {
      throw taken('Another organization has this hostname');
    }
    throw error;
  }
}

function taken(message: string): AppError {
  return blaming('already_exists', 'body.hostname', message);
}

async function currentHostname(context: ServiceContext, id: string): Promise<string | undefined> {
  const state = await context.store.load(organization, id);
  return state.status === 'active' ? state.hostname : undefined;
}
