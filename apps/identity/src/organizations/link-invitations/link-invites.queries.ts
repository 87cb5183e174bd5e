import { AppError, roleAtLeast, type LinkInvite, type MemberRole } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { findPage, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { type MemberDocument, memberKey, members, organizations } from '../../read-models/index.js';
import { linkInviteDocs, type LinkInviteDocument } from './link-invite.projection.js';

type CallerMembership = Pick<MemberDocument, 'role' | 'disabled'> | null;

/** Whether a member already has at least the access of a role. */
function alreadyHas(place: CallerMembership, role: MemberRole | null): boolean {
  return place !== null && !place.disabled && (role === null || roleAtLeast(place.role, role));
}

function render(doc: Stored<LinkInviteDocument>, place: CallerMembership, urls: Scope['urls']): LinkInvite {
  return {
    object: 'invite',
    id: doc._id,
    role: doc.role,
    redundant: alreadyHas(place, doc.role),
    urls: {
      location: `${urls.api}/orgs/${doc.organization}/link-invites/${doc._id}`,
      app: `${urls.app}/join/${doc._id}`,
    },
  };
}

function findCallerMembership({ store }: Scope, organization: string, user: string): Promise<CallerMembership> {
  return store.read(members).byId(memberKey(organization, user));
}

export async function getLinkInvite(scope: Scope, organization: string, id: string, user: string): Promise<LinkInvite> {
  const [doc, place] = await Promise.all([
    scope.store.read(linkInviteDocs).byId(id),
    findCallerMembership(scope, organization, user),
  ]);
  if (doc?.organization !== organization) throw new AppError('not_found');
  return render(doc, place, scope.urls);
}

/** The invitation links of an organization, newest first. */
export async function listLinkInvites(
  scope: Scope,
  filter: PageRequest & { organization: string; user: string; operation: string },
): Promise<Page<LinkInvite>> {
  const { organization, user, operation } = filter;
  const [page, place] = await Promise.all([
    findPage(scope.cursors, {
      model: scope.store.read(linkInviteDocs),
      filter: { organization },
      sort: 'createdAt',
      binding: { operation, scope: { organization }, order: 'desc' },
      request: filter,
    }),
    findCallerMembership(scope, organization, user),
  ]);
  return { ...page, items: page.items.map((doc) => render(doc, place, scope.urls)) };
}

/**
 * The role that a link gives now. It is read from the database and not by `byId`: a cached document could outlive the
 * deletion of the link.
 * @throws AppError `not_found` when there is no such link, or the organization has switched its links off
 */
export async function getLinkRole(
  { store }: Scope,
  organization: string,
  invite: string,
): Promise<{ role: MemberRole | null }> {
  const [doc, organizationDoc] = await Promise.all([
    store.read(linkInviteDocs).findOne({ _id: invite, organization }),
    store.read(organizations).findOne({ _id: organization, inviteLinks: true }),
  ]);
  if (doc === null || organizationDoc === null) throw new AppError('not_found');
  return { role: doc.role };
}
