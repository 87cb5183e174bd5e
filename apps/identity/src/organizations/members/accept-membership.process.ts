import type { Call } from '@scriptorium/platform';
import { memberKey, members } from '../../read-models/index.js';
import { acceptMembership } from './memberships.js';
import { roster } from './roster.js';

/**
 * Whoever changes something in an organization that an admin has added them to accepts that. A session that the organization's own
 * provider vouches for does not count: the organization could begin it by itself.
 */
export async function acceptByActing({ store, principal }: Call, organization: string | undefined): Promise<void> {
  if (organization === undefined || principal.organization !== undefined) return;
  const user = principal.id;
  const member = await store.read(members).byId(memberKey(organization, user));
  if (member?.accepted !== false) return;
  await store
    .in(organization)
    .step('accept')
    .handle(roster, organization, (state) => acceptMembership(state, { user }));
}
