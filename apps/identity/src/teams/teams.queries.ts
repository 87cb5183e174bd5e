import { AppError, roleAtLeast, type Member, type MemberRole, type Team, type TeamRole } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { containing, findPage, keyed, type Page, type PageRequest, type ServiceContext } from '@scriptorium/platform';
import type { LastSeen } from '../members/last-seen.operational.js';
import { memberKey, members } from '../members/member.projection.js';
import { renderMembers } from '../members/members.queries.js';
import { organizations } from '../organizations/organization.projection.js';
import { renderTeam } from '../resources.js';
import { sortKey } from '../sort-key.js';
import { teamMemberKey, teamMembers } from './team-member.projection.js';
import { teams, type TeamDocument } from './team.projection.js';

/** Of the caller, what decides how a team looks to them. */
export interface TeamViewer {
  user: string;
  role: MemberRole | null;
}

/** The caller as a viewer of the organization's teams. @throws `not_found` for a caller who is no member. */
export async function teamViewer(context: ServiceContext, organization: string, user: string): Promise<TeamViewer> {
  const member = await context.store.collection(members).byId(memberKey(organization, user));
  if (member === null) throw new AppError('not_found');
  return { user, role: member.role };
}

export async function getTeam(context: ServiceContext, id: string, viewer: TeamViewer): Promise<Team> {
  const team = await context.store.collection(teams).byId(id);
  if (team === null) throw new AppError('not_found');
  const [rendered] = await renderTeams(context, [team], viewer);
  return rendered as Team;
}

/** Teams as this viewer sees them; the viewer's places in them are read at once. */
export async function renderTeams(context: ServiceContext, docs: readonly Stored<TeamDocument>[], viewer: TeamViewer): Promise<Team[]> {
  const places = keyed(await context.store.collection(teamMembers).byIds(docs.map((team) => teamMemberKey(team._id, viewer.user))));
  return docs.map((team) => {
    const place = places.get(teamMemberKey(team._id, viewer.user));
    const permissions = {
      admin: viewer.role === 'admin' || place?.role === 'owner',
      view: roleAtLeast(viewer.role, 'read') || place !== undefined,
    };
    return renderTeam(team, permissions, context.urls);
  });
}

export interface TeamFilter extends PageRequest {
  organization: string;
  operation: string;
  title?: string | undefined;
  /** Only teams that this member owns. */
  owner?: string | undefined;
}

/** Teams by title. A viewer below `read` gets those that they own: nothing else of the organization's teams is theirs to see. */
export async function listTeams(context: ServiceContext, filter: TeamFilter, viewer: TeamViewer): Promise<Page<Team>> {
  const { organization, owner, title } = filter;
  const owners = [owner, roleAtLeast(viewer.role, 'read') ? undefined : viewer.user].filter((id) => id !== undefined);
  const owned = await Promise.all(owners.map((user) => teamsOf(context, { organization, user, role: 'owner' })));
  const all = title === undefined && owners.length === 0;
  const page = await findPage(context.cursors, {
    model: context.store.collection(teams),
    total: all ? (await context.store.collection(organizations).byId(organization))?.teams : undefined,
    filter: {
      organization,
      ...(title === undefined ? {} : { titleKey: containing(sortKey(title)) }),
      ...(owned.length === 0 ? {} : { $and: owned.map((ids) => ({ _id: { $in: ids } })) }),
    },
    sort: 'titleKey',
    binding: { operation: filter.operation, scope: { organization, owner, title }, order: 'asc' },
    request: filter,
  });
  return { ...page, items: await renderTeams(context, page.items, viewer) };
}

/** Ids of the teams that a person is in, all or those where they have a role. */
async function teamsOf(context: ServiceContext, where: { organization: string; user: string; role?: TeamRole }): Promise<string[]> {
  const places = await context.store.collection(teamMembers).find(where).toArray();
  return places.map(({ team }) => team);
}

export interface MemberTeam {
  team: Team;
  member: { role: TeamRole };
}

/** The teams of one member by title. */
export async function listMemberTeams(
  context: ServiceContext,
  filter: Omit<TeamFilter, 'owner'> & { user: string },
  viewer: TeamViewer,
): Promise<Page<MemberTeam>> {
  const { organization, user, title } = filter;
  const ids = await teamsOf(context, { organization, user });
  const page = await findPage(context.cursors, {
    model: context.store.collection(teams),
    filter: { _id: { $in: ids }, ...(title === undefined ? {} : { titleKey: containing(sortKey(title)) }) },
    sort: 'titleKey',
    binding: { operation: filter.operation, scope: { organization, user, title }, order: 'asc' },
    request: filter,
  });
  const places = keyed(await context.store.collection(teamMembers).byIds(page.items.map(({ _id }) => teamMemberKey(_id, user))));
  const rendered = await renderTeams(context, page.items, viewer);
  return {
    ...page,
    items: rendered.map((team) => ({ team, member: { role: places.get(teamMemberKey(team.id, user))?.role ?? 'member' } })),
  };
}

export interface TeamMember {
  organization: Member;
  team: { role: TeamRole };
  permissions: { view: boolean };
}

/** The members of a team in the order they joined it. */
export async function listTeamMembers(
  context: ServiceContext,
  lastSeen: LastSeen,
  filter: PageRequest & { organization: string; team: string; operation: string },
  viewer: TeamViewer,
): Promise<Page<TeamMember>> {
  const { organization, team } = filter;
  const page = await findPage(context.cursors, {
    model: context.store.collection(teamMembers),
    filter: { team },
    sort: 'joinedAt',
    binding: { operation: filter.operation, scope: { organization, team }, order: 'asc' },
    request: filter,
  });
  const found = keyed(await context.store.collection(members).byIds(page.items.map(({ user }) => memberKey(organization, user))));
  const docs = page.items.map(({ user }) => found.get(memberKey(organization, user))).filter((doc) => doc !== undefined);
  const rendered = new Map((await renderMembers(context, lastSeen, docs)).map((member) => [member.id, member]));
  const view = roleAtLeast(viewer.role, 'read');
  const items = page.items.flatMap(({ user, role }) => {
    const member = rendered.get(user);
    return member === undefined ? [] : [{ organization: member, team: { role }, permissions: { view: view || user === viewer.user } }];
  });
  return { ...page, items };
}
