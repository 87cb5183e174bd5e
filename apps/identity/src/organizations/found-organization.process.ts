import { AppError, isReservedHostname } from '@scriptorium/contracts';
import type { CommandContext } from '@scriptorium/event-sourcing';
import { derivedId, type ServiceContext } from '@scriptorium/platform';
import { open, roster } from '../members/roster.js';
import { hostnameCandidate } from './hostname.js';
import { hostnames } from './hostnames.reservation.js';
import { create, organization } from './organization.js';

export interface NewOrganization {
  id: string;
  title: string;
  emailDomains: readonly string[];
  creator: string;
}

const candidates = 100;

/**
 * Founds an organization under the first free hostname that its title suggests, and opens its roster with the creator
 * as admin. Every step may be repeated; if the process dies in between, the reactor of the roster takes the last one.
 */
export async function foundOrganization(context: ServiceContext, input: NewOrganization, command: CommandContext): Promise<void> {
  const { id, title, emailDomains, creator } = input;
  for (let n = 1; ; n += 1) {
    const hostname = n < candidates ? hostnameCandidate(title, n) : `org-${id.toLowerCase()}`;
    if (isReservedHostname(hostname)) continue;
    try {
      await context.store.reservations.reserve(hostnames(context), { value: hostname, owner: id, context: command }, () =>
        context.store.handle(organization, id, command, (state) => create(state, { title, hostname, emailDomains, createdBy: creator })),
      );
      break;
    } catch (error) {
      const taken = error instanceof AppError && error.reason === 'already_exists';
      if (!taken || n >= candidates) throw error;
    }
  }
  await openRoster(context, { organization: id, creator }, command);
}

/** Opens the roster of an organization; nothing when it is open. */
export async function openRoster(
  context: ServiceContext,
  input: { organization: string; creator: string },
  command: CommandContext,
): Promise<void> {
  const membership = derivedId('founder', input.organization);
  await context.store.handle(roster, input.organization, command, (state) => open(state, { ...input, membership }));
}
