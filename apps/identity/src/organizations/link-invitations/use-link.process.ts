import { AppError, type MemberRole } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type { ContentNode, ContentNodes } from '../spaces/content-nodes.queries.js';
import { admit } from '../invitations/admit.process.js';
import { memberOf, roster } from '../roster/roster.js';
import { linkInvites, useContentLink } from './link-invites.js';
import { alreadyHas, getWorkingTerms } from './link-invites.queries.js';

/**
 * Makes a user a member by an invitation link. A link to a space or collection makes a guest, and gives its level
 * there, also to whoever is a member already; content does so when it hears of it. Safe to repeat.
 * @throws AppError `not_found` for a link that is not there, or leads to what is not there; `limit_reached`
 */
export async function useLink(
  scope: Scope,
  nodes: ContentNodes,
  { organization, invite, user }: { organization: string; invite: string; user: string },
): Promise<void> {
  const terms = await getWorkingTerms(scope, organization, invite);
  if ('role' in terms) {
    await admit(scope, organization, [{ user, role: terms.role, via: 'link' }]);
    return;
  }
  if (!(await nodes.isThere(scope, organization, terms.to))) throw new AppError('not_found');
  await admit(scope, organization, [{ user, role: null, via: 'link' }]);
  if (await isRedundant(scope, nodes, { organization, user, ...terms })) return;
  const state = await scope.store.load(roster, organization);
  const member = state.status === 'open' ? memberOf(state, user) : undefined;
  if (member === undefined) throw new AppError('not_found');
  const { membership } = member;
  await scope.store.handle(linkInvites, organization, (links) => useContentLink(links, { invite, user, membership }));
}

async function isRedundant(
  scope: Scope,
  nodes: ContentNodes,
  { organization, user, level, to }: { organization: string; user: string; level: MemberRole | null; to: ContentNode },
): Promise<boolean> {
  const levels = await nodes.levelsOn(scope, organization, user, [to]);
  return alreadyHas(levels.get(to.id) ?? null, level);
}
