import { AppError, roleAtLeast, type LinkInvite, type MemberRole } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { findPage, type Page, type PageRequest, type ServiceContext } from '@scriptorium/platform';
import { memberKey, members, type MemberDocument } from '../members/member.projection.js';
import { organizations } from '../organizations/organization.projection.js';
import { linkInviteDocs, type LinkInviteDocument } from './link-invite.projection.js';

type Place = Pick<MemberDocument, 'role' | 'disabled'> | null;

/** Whether a member has the access of a role, or more. */
function covers(place: Place, role: MemberRole | null): boolean {
  return place !== null && !place.disabled && (role === null || roleAtLeast(place.role, role));
}

function render(doc: Stored<LinkInviteDocument>, place: Place, urls: ServiceContext['urls']): LinkInvite {
  return {
    object: 'invite',
    id: doc._id,
    role: doc.role,
    redundant: covers(place, doc.role),
    urls: { location: `${urls.api}/orgs/${doc.organization}/link-invites/${doc._id}`, app: `${urls.app}/join/${doc._id}` },
  };
}

function placeOf({ store }: ServiceContext, organization: string, user: string): Promise<Place> {
  return store.collection(members).byId(memberKey(organization, user));
}

export async function getLinkInvite(context: ServiceContext, organization: string, id: string, user: string): Promise<LinkInvite> {
  const [doc, place] = await Promise.all([context.store.collection(linkInviteDocs).byId(id), placeOf(context, organization, user)]);
  if (doc?.organization !== organization) throw new AppError('not_found');
  return render(doc, place, context.urls);
}

/** The links of an organization, newest first. */
export async function listLinkInvites(
  context: ServiceContext,
  filter: PageRequest & { organization: string; user: string; operation: string },
): Promise<Page<LinkInvite>> {
  const { organization, user, operation } = filter;
  const [page, place] = await Promise.all([
    findPage(context.cursors, {
      model: context.store.collection(linkInviteDocs),
      filter: { organization },
      sort: 'createdAt',
      binding: { operation, scope: { organization }, order: 'desc' },
      request: filter,
    }),
    placeOf(context, organization, user),
  ]);
  return { ...page, items: page.items.map((doc) => render(doc, place, context.urls)) };
}

/**
 * What a link gives now. Not by `byId`: a replica that has not heard of its deletion yet would still let people in.
 * @throws AppError `not_found` when there is no such link, or the organization has its links switched off.
 */
export async function getOffer({ store }: ServiceContext, organization: string, invite: string): Promise<{ role: MemberRole | null }> {
  const [doc, home] = await Promise.all([
    store.collection(linkInviteDocs).findOne({ _id: invite, organization }),
    store.collection(organizations).findOne({ _id: organization, inviteLinks: true }),
  ]);
  if (doc === null || home === null) throw new AppError('not_found');
  return { role: doc.role };
}
