import { membershipKey, memberships } from '@scriptorium/access';
import { memberReferenceId, referTo, type MemberByName, type Principal, type Reference } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { findPage, pageBy, type CursorBinding, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { commenters, type CommenterDocument } from './commenter.projection.js';
import { idOfPlace, type CommentPlace } from '../places/comment-place.js';

/** A commenter: the member, or for guests, who see no members, the person alone. */
type ShownCommenter = Reference<'member'> | MemberByName;

/** The members who have commented in a place, by their first comment. */
export async function listCommenters(
  scope: Scope,
  caller: Principal,
  place: CommentPlace,
  filter: PageRequest & { operation: string },
): Promise<Page<ShownCommenter>> {
  const id = idOfPlace(place);
  const model = scope.store.read(commenters);
  const binding = { operation: filter.operation, scope: { place: id }, order: 'asc' as const };
  const isAsked = (await model.count({ place: id, isMember: null })) > 0;
  const page = isAsked
    ? await findAmongMembers(scope, id, { binding, request: filter })
    : await findPage(scope.cursors, {
        model,
        filter: { place: id, isMember: true },
        sort: 'since',
        binding,
        request: filter,
      });
  const colleagues = await organizationsOfColleagues(scope, caller, page.items);
  const items = page.items.map(({ organization, user }) =>
    colleagues.has(organization) || user === caller.id
      ? referTo('member', memberReferenceId(organization, user))
      : { object: 'member' as const, id: user, user: referTo('user', user) },
  );
  return { ...page, items };
}

/** The organizations of these commenters whose members the caller sees: those in which they are no guest. */
async function organizationsOfColleagues(
  { store }: Scope,
  { id: user }: Principal,
  found: readonly CommenterDocument[],
): Promise<Set<string>> {
  const organizations = [...new Set(found.map(({ organization }) => organization))];
  const own = await store
    .read(memberships)
    .byIds(organizations.map((organization) => membershipKey(organization, user)));
  return new Set(own.filter(({ role }) => role !== null).map(({ organization }) => organization));
}

/** In a space that was transferred, some may be members of the other organization alone. */
async function findAmongMembers(
  { store, cursors }: Scope,
  place: string,
  { binding, request }: { binding: Pick<CursorBinding, 'operation' | 'scope' | 'order'>; request: PageRequest },
): Promise<Page<Stored<CommenterDocument>>> {
  const found = await store
    .read(commenters)
    .find({ place, isMember: { $ne: false } })
    .sort({ since: 1, _id: 1 })
    .toArray();
  const keys = found.map(({ organization, user }) => membershipKey(organization, user));
  const members = new Set((await store.read(memberships).byIds(keys)).map(({ _id }) => _id));
  const present = found.filter(({ organization, user }) => members.has(membershipKey(organization, user)));
  return pageBy(cursors, {
    binding: { ...binding, sort: 'since' },
    request,
    isCounted: true,
    count: () => present.length,
    fetch(limit, after) {
      const isBehind = ({ since, _id }: Stored<CommenterDocument>): boolean =>
        after === undefined || since > String(after[0]) || (since === after[0] && _id > String(after[1]));
      return present.filter(isBehind).slice(0, limit);
    },
    keysOf: ({ since, _id }) => [since, _id],
  });
}
