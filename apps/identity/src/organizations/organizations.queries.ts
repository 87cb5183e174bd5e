import { AppError, type Organization } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { findPage, keyed, type Page, type PageRequest, type ServiceContext } from '@scriptorium/platform';
import { memberKey, members, type MemberDocument } from '../members/member.projection.js';
import { renderOrganization, type OrganizationView } from '../resources.js';
import { isWithoutSSO, listLogins } from '../sso/sso.queries.js';
import { teamMembers } from '../teams/team-member.projection.js';
import { organizations, type OrganizationDocument } from './organization.projection.js';

export async function getOrganization(context: ServiceContext, id: string, user: string): Promise<Organization> {
  const doc = await context.store.collection(organizations).byId(id);
  if (doc === null) throw new AppError('not_found');
  const [rendered] = await renderOrganizations(context, [doc], user);
  return rendered as Organization;
}

/** Organizations as a person sees them, in the order given. */
export async function renderOrganizations(context: ServiceContext, docs: readonly Stored<OrganizationDocument>[], user: string): Promise<Organization[]> {
  const ids = docs.map(({ _id }) => _id);
  const [found, owned] = await Promise.all([
    context.store.collection(members).byIds(ids.map((id) => memberKey(id, user))),
    context.store.collection(teamMembers).find({ organization: { $in: ids }, user, role: 'owner' }).toArray(),
  ]);
  const places = keyed(found);
  const withTeams = new Set(owned.map(({ organization }) => organization));
  const views = await Promise.all(docs.map((doc) => viewOf(context, doc, places.get(memberKey(doc._id, user)), withTeams.has(doc._id))));
  return docs.map((doc, i) => renderOrganization(doc, views[i] as OrganizationView, context.urls));
}

/** What somebody may see of an organization by their membership. Whom its enforced single sign-on keeps out sees no more in a list than by its address. */
async function viewOf(context: ServiceContext, doc: Stored<OrganizationDocument>, place: MemberDocument | undefined, ownsTeam: boolean): Promise<OrganizationView> {
  const stranger = { member: false, role: null, ownsTeam: false };
  if (place === undefined || place.disabled) return { ...stranger, ...(doc.sso ? { closed: {} } : {}) };
  if (!(await isWithoutSSO(context.store, doc, place))) return { member: true, role: place.role, ownsTeam };
  return { ...stranger, closed: { logins: await listLogins(context, doc._id) } };
}

/** Organizations that a person is an active member of, by title. */
export async function listOrganizations(
  context: ServiceContext,
  filter: PageRequest & { user: string; operation: string },
): Promise<Page<Organization>> {
  const { user, operation } = filter;
  const places = await context.store.collection(members).find({ user, disabled: false }).toArray();
  const page = await findPage(context.cursors, {
    model: context.store.collection(organizations),
    filter: { _id: { $in: places.map(({ organization }) => organization) } },
    sort: 'titleKey',
    binding: { operation, scope: { user }, order: 'asc' },
    request: filter,
  });
  return { ...page, items: await renderOrganizations(context, page.items, user) };
}
