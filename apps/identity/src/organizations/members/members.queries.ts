import { AppError, type Member, type MemberRole } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { containing, findPage, keyed, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import type { Filter } from 'mongodb';
import type { LastSeen, LastSeenDocument } from './last-seen.operational.js';
import type { MemberSources } from './member-sources.queries.js';
import {
  type MemberDocument,
  memberKey,
  members,
  organizations,
  renderDeletedUser,
  renderUser,
  samlProviders,
  teamMembers,
  type UserDocument,
  users,
  sortKey,
} from '../../organization-read-models/index.js';
import { renderMember } from './member.render.js';

export async function getMember(
  scope: Scope,
  sources: MemberSources,
  organization: string,
  user: string,
): Promise<Member> {
  const doc = await scope.store.read(members).byId(memberKey(organization, user));
  if (doc === null) throw new AppError('not_found');
  const [rendered] = await renderMembers(scope, sources, [doc]);
  return rendered as Member;
}

/**
 * Members of one organization with their profile, the numbers of their teams and spaces, and when they were last seen.
 */
export async function renderMembers(
  scope: Scope,
  { lastSeen, spaceCounts }: MemberSources,
  docs: readonly Stored<MemberDocument>[],
): Promise<Member[]> {
  const [first] = docs;
  if (first === undefined) return [];
  const { organization } = first;
  const [found, teamCounts, spaces, seen, providers] = await Promise.all([
    scope.store.read(users).byIds(docs.map(({ user }) => user)),
    countTeams(scope, organization, docs),
    spaceCounts.ofMembers(scope, organization, docs),
    lastSeen.model.byIds(docs.map(({ _id }) => _id)),
    scope.store.read(samlProviders).byIds(docs.flatMap((doc) => doc.providers)),
  ]);
  const existingProviders = new Set(providers.map(({ _id }) => _id));
  const people = keyed(found);
  const seenAt = new Map(seen.map(({ _id, at }) => [_id, at]));
  return docs.map((doc) => {
    const person = people.get(doc.user);
    const user =
      person === undefined ? renderDeletedUser(doc.user, scope.urls) : renderUser(person, scope.urls, { email: true });
    const sso = doc.sso || doc.providers.some((id) => existingProviders.has(id));
    const counts = { teams: teamCounts.get(doc._id) ?? 0, spaces: spaces.get(doc._id) ?? 0 };
    return renderMember(doc, { user, ...counts, lastSeenAt: seenAt.get(doc._id), sso }, scope.urls);
  });
}

async function countTeams(
  scope: Scope,
  organization: string,
  docs: readonly MemberDocument[],
): Promise<Map<string, number>> {
  const groups = await scope.store
    .read(teamMembers)
    .raw.aggregate<{ _id: string; teams: number }>([
      { $match: { organization, user: { $in: docs.map(({ user }) => user) } } },
      { $group: { _id: '$user', teams: { $sum: 1 } } },
    ])
    .toArray();
  return new Map(groups.map(({ _id, teams }) => [memberKey(organization, _id), teams]));
}

export interface MemberFilter extends PageRequest {
  organization: string;
  operation: string;
  order: 'asc' | 'desc';
  sort: 'joinedAt' | 'lastSeenAt' | 'name';
  role?: MemberRole | 'guest' | undefined;
  search?: string | undefined;
}

/** Members of an organization, sorted by when they joined, when they were last seen, or by name. */
export async function listMembers(scope: Scope, sources: MemberSources, filter: MemberFilter): Promise<Page<Member>> {
  const found = await pageOfMembers(scope, sources.lastSeen, filter);
  const docs = keyed(await scope.store.read(members).byIds(found.items));
  const items = found.items.map((id) => docs.get(id)).filter((doc) => doc !== undefined);
  return { ...found, items: await renderMembers(scope, sources, items) };
}

/** Keys of the memberships on the page. Each sort uses the collection that contains its sort key. */
async function pageOfMembers(scope: Scope, lastSeen: LastSeen, filter: MemberFilter): Promise<Page<string>> {
  const { store, cursors } = scope;
  const { organization, order, role, search, operation } = filter;
  const common = { binding: { operation, order, scope: { organization, role, search } }, request: filter };
  const people = search === undefined ? undefined : await searchPeople(scope, organization, search);
  const matching: Filter<Stored<MemberDocument>> = {
    organization,
    ...(role === undefined ? {} : { role: role === 'guest' ? null : role }),
    ...(people === undefined ? {} : { user: { $in: people } }),
  };
  if (filter.sort === 'joinedAt') {
    // The total of the organization counts memberships, so it fits this sort only. The other sorts leave out members
    // without a profile, or who were never seen.
    const all = role === undefined && search === undefined;
    const total = all ? (await store.read(organizations).byId(organization))?.members : undefined;
    const page = await findPage(cursors, {
      ...common,
      total,
      model: store.read(members),
      filter: matching,
      sort: 'joinedAt',
    });
    return { ...page, items: page.items.map(({ _id }) => _id) };
  }
  if (filter.sort === 'name') {
    const ids = role === undefined ? people : await userIdsWhere(scope, matching);
    const among: Filter<Stored<UserDocument>> = {
      organizations: organization,
      ...(ids === undefined ? {} : { _id: { $in: ids } }),
    };
    const page = await findPage(cursors, { ...common, model: store.read(users), filter: among, sort: 'nameKey' });
    return { ...page, items: page.items.map(({ _id }) => memberKey(organization, _id)) };
  }
  const active = await userIdsWhere(scope, { ...matching, disabled: false });
  const among: Filter<Stored<LastSeenDocument>> = {
    organization,
    _id: { $in: active.map((user) => memberKey(organization, user)) },
  };
  const page = await findPage(cursors, { ...common, model: lastSeen.model, filter: among, sort: 'at' });
  return { ...page, items: page.items.map(({ _id }) => _id) };
}

async function userIdsWhere(scope: Scope, filter: Filter<Stored<MemberDocument>>): Promise<string[]> {
  const found = await scope.store.read(members).find(filter).project<{ user: string }>({ user: 1 }).toArray();
  return found.map(({ user }) => user);
}

async function searchPeople(scope: Scope, organization: string, search: string): Promise<string[]> {
  const pattern = containing(sortKey(search));
  const found = await scope.store
    .read(users)
    .find({ organizations: organization, $or: [{ nameKey: pattern }, { email: pattern }] })
    .project<{ _id: string }>({ _id: 1 })
    .toArray();
  return found.map(({ _id }) => _id);
}
