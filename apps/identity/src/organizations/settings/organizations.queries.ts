import { AppError, getOrganizationById, type Organization, type Principal } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import {
  findPage,
  keyed,
  mayView,
  type AccessCheck,
  type Page,
  type PageRequest,
  type Scope,
} from '@scriptorium/platform';
import {
  isWithoutSSO,
  listLogins,
  type MemberDocument,
  memberKey,
  members,
  type OrganizationDocument,
  organizations,
  teamMembers,
} from '../../organization-read-models/index.js';
import { resolveOrganization } from './organization.access.js';
import { organization } from './organization.js';
import { renderOrganization, type OrganizationView } from './organization.render.js';

export async function getOrganization(scope: Scope, id: string, user: string): Promise<Organization> {
  const doc = await scope.store.read(organizations).byId(id);
  if (doc === null) throw new AppError('not_found');
  const [rendered] = await renderOrganizations(scope, [doc], user);
  return rendered as Organization;
}

/** Organizations as a person sees them, in the given order. */
export async function renderOrganizations(
  scope: Scope,
  docs: readonly Stored<OrganizationDocument>[],
  user: string,
): Promise<Organization[]> {
  const ids = docs.map(({ _id }) => _id);
  const [found, owned] = await Promise.all([
    scope.store.read(members).byIds(ids.map((id) => memberKey(id, user))),
    scope.store
      .read(teamMembers)
      .find({ organization: { $in: ids }, user, role: 'owner' })
      .toArray(),
  ]);
  const places = keyed(found);
  const withTeams = new Set(owned.map(({ organization }) => organization));
  const views = await Promise.all(
    docs.map((doc) => viewOf(scope, doc, places.get(memberKey(doc._id, user)), withTeams.has(doc._id))),
  );
  return docs.map((doc, i) => renderOrganization(doc, views[i] as OrganizationView, scope.urls));
}

/**
 * What a person may see of an organization. A member without the enforced single sign-on sees the same in a list and in
 * the organization itself.
 */
async function viewOf(
  scope: Scope,
  doc: Stored<OrganizationDocument>,
  place: MemberDocument | undefined,
  ownsTeam: boolean,
): Promise<OrganizationView> {
  const notMember = { member: false, role: null, ownsTeam: false };
  if (place === undefined || place.disabled) return { ...notMember, ...(doc.sso ? { closed: {} } : {}) };
  if (!(await isWithoutSSO(scope.store, doc, place))) return { member: true, role: place.role, ownsTeam };
  return { ...notMember, closed: { logins: await listLogins(scope, doc._id) } };
}

/** The organizations of which a person is an active member, by title. */
export async function listOrganizations(
  scope: Scope,
  filter: PageRequest & { user: string; operation: string },
): Promise<Page<Organization>> {
  const { user, operation } = filter;
  const places = await scope.store.read(members).find({ user, disabled: false }).toArray();
  const page = await findPage(scope.cursors, {
    model: scope.store.read(organizations),
    filter: { _id: { $in: places.map(({ organization }) => organization) } },
    sort: 'titleKey',
    binding: { operation, scope: { user }, order: 'asc' },
    request: filter,
  });
  return { ...page, items: await renderOrganizations(scope, page.items, user) };
}

const viewOrganization: AccessCheck = { operation: getOrganizationById, resolve: resolveOrganization };

/** Organizations for responses of other services. Those that the caller may not see are left out. */
export async function findOrganizations(
  scope: Scope,
  caller: Principal | null,
  ids: readonly string[],
): Promise<Organization[]> {
  if (caller === null) return [];
  const docs = await scope.store.read(organizations).byIds([...new Set(ids)]);
  const visible = await Promise.all(
    docs.map(({ _id }) => mayView(scope, viewOrganization, caller, { organizationId: _id })),
  );
  return renderOrganizations(
    scope,
    docs.filter((_, index) => visible[index]),
    caller.id,
  );
}

/** Whether an organization was deleted, read from the log. */
export async function isDeleted({ store }: Pick<Scope, 'store'>, id: string): Promise<boolean> {
  return (await store.load(organization, id)).status === 'deleted';
}
