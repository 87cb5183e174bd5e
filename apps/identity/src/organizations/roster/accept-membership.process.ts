import type { Call } from '@scriptorium/platform';
import { memberKey, members } from '../../organization-read-models/index.js';
import { acceptMembership } from './memberships.js';
import { roster } from './roster.js';

/**
 * Records that a member whom an admin has added accepts the membership, by changing something in the organization. A
 * change with a session from the organization's own provider does not count, since the organization could begin that
 * session itself.
 */
export async function acceptByActing(
  { store, principal }: Call,
  { organizationId: organization }: Readonly<Record<string, string>>,
): Promise<void> {
  if (organization === undefined || principal.organization !== undefined) return;
  const user = principal.id;
  const member = await store.read(members).byId(memberKey(organization, user));
  if (member?.accepted !== false) return;
  await store
    .in(organization)
    .step('accept')
    .handle(roster, organization, (state) => acceptMembership(state, { user }));
}
