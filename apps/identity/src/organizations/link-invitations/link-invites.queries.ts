import { AppError, roleAtLeast, type LinkInvite, type MemberRole } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { findPage, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { type ContentNodes } from '../spaces/content-nodes.queries.js';
import { memberKey, members, organizations } from '../../organization-read-models/index.js';
import { linkInviteDocs, type LinkInviteDocument } from './link-invite.projection.js';
import type { LinkTerms } from './link-invites.js';

type Invite = Stored<LinkInviteDocument>;
/** What a caller has already: `undefined` without being a member. */
type Present = MemberRole | null | undefined;

/** Whether somebody already has at least the access that a link gives; `least`: its role or level. */
export function alreadyHas(present: Present, least: MemberRole | null): boolean {
  return present !== undefined && (least === null || roleAtLeast(present, least));
}

function render(doc: Invite, present: Present, urls: Scope['urls']): LinkInvite {
  const base = {
    object: 'invite' as const,
    id: doc._id,
    urls: {
      location: `${urls.api}/orgs/${doc.organization}/link-invites/${doc._id}`,
      app: `${urls.app}/join/${doc._id}`,
    },
  };
  if (!('level' in doc)) return { ...base, role: doc.role, redundant: alreadyHas(present, doc.role) };
  const { level, to } = doc;
  return { ...base, level, [to.kind]: to.id, redundant: alreadyHas(present, level) };
}

/** What the caller has of what these links give, by the id of the link. */
async function findPresent(
  scope: Scope,
  nodes: ContentNodes,
  { organization, user, docs }: { organization: string; user: string; docs: readonly Invite[] },
): Promise<(doc: Invite) => Present> {
  const wanted = docs.flatMap((doc) => ('level' in doc ? [doc.to] : []));
  const [member, levels] = await Promise.all([
    scope.store.read(members).byId(memberKey(organization, user)),
    wanted.length === 0 ? new Map<string, Present>() : nodes.levelsOn(scope, organization, user, wanted),
  ]);
  if (member === null || member.disabled) return () => undefined;
  return (doc) => ('level' in doc ? levels.get(doc.to.id) : member.role);
}

export async function getLinkInvite(
  scope: Scope,
  nodes: ContentNodes,
  { organization, id, user }: { organization: string; id: string; user: string },
): Promise<LinkInvite> {
  const doc = await scope.store.read(linkInviteDocs).byId(id);
  if (doc?.organization !== organization) throw new AppError('not_found');
  const present = await findPresent(scope, nodes, { organization, user, docs: [doc] });
  return render(doc, present(doc), scope.urls);
}

/** What a link gives. @throws AppError `not_found` */
export async function getTerms({ store }: Scope, organization: string, id: string): Promise<LinkTerms> {
  const doc = await store.read(linkInviteDocs).byId(id);
  if (doc?.organization !== organization) throw new AppError('not_found');
  return termsOf(doc);
}

function termsOf(doc: LinkInviteDocument): LinkTerms {
  return 'level' in doc ? { level: doc.level, to: doc.to } : { role: doc.role };
}

/** The invitation links of an organization, newest first. */
export async function listLinkInvites(
  scope: Scope,
  nodes: ContentNodes,
  filter: PageRequest & { organization: string; user: string; operation: string },
): Promise<Page<LinkInvite>> {
  const { organization, user, operation } = filter;
  const page = await findPage(scope.cursors, {
    model: scope.store.read(linkInviteDocs),
    filter: { organization },
    sort: 'createdAt',
    binding: { operation, scope: { organization }, order: 'desc' },
    request: filter,
  });
  const present = await findPresent(scope, nodes, { organization, user, docs: page.items });
  return { ...page, items: page.items.map((doc) => render(doc, present(doc), scope.urls)) };
}

/**
 * What a link gives now. It is read from the database and not by `byId`: a cached document could outlive the deletion
 * of the link.
 * @throws AppError `not_found` when there is no such link, or the organization has switched its links off
 */
export async function getWorkingTerms({ store }: Scope, organization: string, invite: string): Promise<LinkTerms> {
  const [doc, organizationDoc] = await Promise.all([
    store.read(linkInviteDocs).findOne({ _id: invite, organization }),
    store.read(organizations).findOne({ _id: organization, inviteLinks: true }),
  ]);
  if (doc === null || organizationDoc === null) throw new AppError('not_found');
  return termsOf(doc);
}
