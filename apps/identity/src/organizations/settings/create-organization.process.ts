import { AppError, isReservedHostname } from '@scriptorium/contracts';
import type { Done } from '@scriptorium/event-sourcing';
import { derivedId, type Scope } from '@scriptorium/platform';
import type { RosterEvent } from '../../events/index.js';
import { users } from '../../organization-read-models/index.js';
import { open } from '../roster/memberships.js';
import { roster, type Roster } from '../roster/roster.js';
import { hostnameCandidate } from './hostname.js';
import { hostnames } from './hostnames.reservation.js';
import { create, organization } from './organization.js';

export interface NewOrganization {
  id: string;
  title: string;
  emailDomains: readonly string[];
  creator: string;
  /** Whether the service sites makes a site for it. */
  withDefaultSite?: boolean;
  /** The domain of the verified address of the creator, if there is one. */
  domain?: string | null;
}

const maxCandidates = 100;
/** The types of the first events of a roster. */
const rosterBegins = ['RosterOpened', 'MemberJoined'] as const;

/**
 * Creates an organization with the first free hostname derived from its title, and opens its roster with the creator as
 * admin. Every step can be repeated. If the process stops halfway, a reactor opens the roster.
 */
export async function createOrganizationWithHostname(scope: Scope, input: NewOrganization): Promise<void> {
  const { id, title, emailDomains, creator, domain = null, withDefaultSite = false } = input;
  const claimant = domain === null ? null : { user: creator, domain };
  for (let n = 1; ; n += 1) {
    const hostname = n < maxCandidates ? hostnameCandidate(title, n) : `org-${id.toLowerCase()}`;
    if (isReservedHostname(hostname)) continue;
    try {
      await scope.store.reserve(hostnames, { value: hostname, owner: id }, () =>
        scope.store.handle(organization, id, (state) =>
          create(state, { title, hostname, emailDomains, createdBy: creator, claimant, withDefaultSite }),
        ),
      );
      break;
    } catch (error) {
      const taken = error instanceof AppError && error.reason === 'already_exists';
      if (!taken || n >= maxCandidates) throw error;
    }
  }
  const opened = await openRoster(scope, { organization: id, creator });
  if (opened.events.length > 0) return;
  // The reactor was faster. What the creator asks of other services next needs these events all the same.
  await scope.store.recordedElsewhere(new Map(rosterBegins.map((type) => [type, opened.position])));
}

/** Opens the roster of an organization. No event when it has been opened. */
export async function openRoster(
  scope: Scope,
  input: { organization: string; creator: string },
): Promise<Done<Roster, RosterEvent>> {
  const membership = derivedId('founder', input.organization);
  const kind = (await scope.store.read(users).byId(input.creator))?.kind;
  return scope.store.handle(roster, input.organization, (state) => open(state, { ...input, membership, kind }));
}
