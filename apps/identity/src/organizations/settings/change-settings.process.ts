import { AppError, blaming, isReservedHostname } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { hostnames } from './hostnames.reservation.js';
import { verifiedDomain } from '../email-domains/domain-owner.queries.js';
import { configure, changeHostname, organization, type Change } from './organization.js';

/**
 * Changes settings of an organization, all or none. A new hostname is reserved first, and the old one released. `by`:
 * the admin. When e-mail domains are named, the admin claims the domain of their own verified address.
 * @throws AppError `already_exists` for a hostname that is reserved or belongs to another organization
 */
export async function changeSettings(scope: Scope, id: string, change: Change, by: string): Promise<void> {
  const { store } = scope;
  const { hostname, ...others } = change;
  const domain = change.emailDomains === undefined ? null : await verifiedDomain(scope, by);
  const claimant = domain === null ? null : { user: by, domain };
  const from = hostname === undefined ? undefined : await currentHostname(scope, id);
  if (hostname === undefined || from === undefined || from === hostname) {
    await store.handle(organization, id, (state) => configure(state, others, claimant));
    return;
  }
  if (isReservedHostname(hostname)) throw hostnameTaken('This hostname is reserved');
  try {
    await store.reserve(hostnames, { value: hostname, previous: from, owner: id }, () =>
      store.handle(organization, id, (state) => changeHostname(state, from, change, claimant)),
    );
  } catch (error) {
    if (error instanceof AppError && error.reason === 'already_exists') {
      throw hostnameTaken('Another organization has this hostname');
    }
    throw error;
  }
}

function hostnameTaken(message: string): AppError {
  return blaming('already_exists', 'body.hostname', message);
}

async function currentHostname(scope: Scope, id: string): Promise<string | undefined> {
  const state = await scope.store.load(organization, id);
  return state.status === 'active' ? state.hostname : undefined;
}
