import { AppError, roleAtLeast, type Member, type MemberRole, type Team, type TeamRole } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { containing, findPage, keyed, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { type MemberSources, renderMembers, type SpaceCounts } from '../organizations/index.js';
import {
  memberKey,
  members,
  organizations,
  teamMemberKey,
  teamMembers,
  sortKey,
  type Urls,
} from '../organization-read-models/index.js';
import { type TeamDocument, teams } from './team.projection.js';
import type { TeamSearch } from './search/team-search.queries.js';

/** What decides how a caller sees a team. */
export interface TeamViewer {
  user: string;
  role: MemberRole | null;
}

export async function getTeam(scope: Scope, spaceCounts: SpaceCounts, id: string, viewer: TeamViewer): Promise<Team> {
  const team = await scope.store.read(teams).byId(id);
  if (team === null) throw new AppError('not_found');
  const [rendered] = await renderTeams(scope, spaceCounts, [team], viewer);
  return rendered as Team;
}

/** Teams of one organization as a viewer sees them. The team memberships of the viewer are read at once. */
export async function renderTeams(
  scope: Scope,
  spaceCounts: SpaceCounts,
  docs: readonly Stored<TeamDocument>[],
  viewer: TeamViewer,
): Promise<Team[]> {
  const [first] = docs;
  if (first === undefined) return [];
  const [found, spaces] = await Promise.all([
    scope.store.read(teamMembers).byIds(docs.map((team) => teamMemberKey(team._id, viewer.user))),
    spaceCounts.ofTeams(
      scope,
      first.organization,
      docs.map(({ _id }) => _id),
    ),
  ]);
  const places = keyed(found);
  return docs.map((team) => {
    const place = places.get(teamMemberKey(team._id, viewer.user));
    const permissions = {
      admin: viewer.role === 'admin' || place?.role === 'owner',
      view: roleAtLeast(viewer.role, 'read') || place !== undefined,
    };
    return renderTeam(team, { permissions, spaces: spaces.get(team._id) ?? 0 }, scope.urls);
  });
}

/** What the answer shows of a team besides its document. */
interface TeamFacts {
  permissions: Team['permissions'];
  spaces: number;
}

export function renderTeam(doc: Stored<TeamDocument>, { permissions, spaces }: TeamFacts, urls: Urls): Team {
  return {
    object: 'team',
    id: doc._id,
    title: doc.title,
    members: doc.members,
    spaces,
    createdAt: doc.createdAt,
    permissions,
    urls: { location: `${urls.api}/orgs/${doc.organization}/teams/${doc._id}` },
  };
}

export interface TeamFilter extends PageRequest {
  organization: string;
  operation: string;
  title?: string | undefined;
  /** Only teams of which this member is an owner. */
  owner?: string | undefined;
}

/** Teams by title. A viewer below `read` gets only the teams that they own. */
export async function listTeams(
  scope: Scope,
  { spaceCounts, search }: { spaceCounts: SpaceCounts; search: TeamSearch },
  filter: TeamFilter,
  viewer: TeamViewer,
): Promise<Page<Team>> {
  const { organization, owner, title, operation } = filter;
  const owners = [owner, roleAtLeast(viewer.role, 'read') ? undefined : viewer.user].filter((id) => id !== undefined);
  const owned = await Promise.all(owners.map((user) => teamsOf(scope, { organization, user, role: 'owner' })));
  const binding = { operation, scope: { organization, owner, title }, order: 'asc' } as const;
  if (title !== undefined) {
    const among = owned.length === 0 ? undefined : inAll(owned);
    const found = await search.page(scope, { organization, title, among, binding, request: filter });
    return { ...found, items: await renderTeams(scope, spaceCounts, found.items, viewer) };
  }
  const page = await findPage(scope.cursors, {
    model: scope.store.read(teams),
    total: owners.length === 0 ? (await scope.store.read(organizations).byId(organization))?.teams : undefined,
    filter: {
      organization,
      ...(owned.length === 0 ? {} : { $and: owned.map((ids) => ({ _id: { $in: ids } })) }),
    },
    sort: 'titleKey',
    binding,
    request: filter,
  });
  return { ...page, items: await renderTeams(scope, spaceCounts, page.items, viewer) };
}

/** The ids that all of these lists have. */
function inAll([first = [], ...others]: readonly (readonly string[])[]): ReadonlySet<string> {
  return new Set(first.filter((id) => others.every((ids) => ids.includes(id))));
}

/** Ids of the teams of a person, all or only those with a given role. */
async function teamsOf(
  scope: Scope,
  where: { organization: string; user: string; role?: TeamRole },
): Promise<string[]> {
  const places = await scope.store.read(teamMembers).find(where).toArray();
  return places.map(({ team }) => team);
}

export interface MemberTeam {
  team: Team;
  member: { role: TeamRole };
}

/** The teams of a member by title. */
export async function listMemberTeams(
  scope: Scope,
  spaceCounts: SpaceCounts,
  filter: Omit<TeamFilter, 'owner'> & { user: string },
  viewer: TeamViewer,
): Promise<Page<MemberTeam>> {
  const { organization, user, title } = filter;
  const ids = await teamsOf(scope, { organization, user });
  const page = await findPage(scope.cursors, {
    model: scope.store.read(teams),
    filter: { _id: { $in: ids }, ...(title === undefined ? {} : { titleKey: containing(sortKey(title)) }) },
    sort: 'titleKey',
    binding: { operation: filter.operation, scope: { organization, user, title }, order: 'asc' },
    request: filter,
  });
  const places = keyed(
    await scope.store.read(teamMembers).byIds(page.items.map(({ _id }) => teamMemberKey(_id, user))),
  );
  const rendered = await renderTeams(scope, spaceCounts, page.items, viewer);
  return {
    ...page,
    items: rendered.map((team) => ({
      team,
      member: { role: places.get(teamMemberKey(team.id, user))?.role ?? 'member' },
    })),
  };
}

export interface TeamMember {
  organization: Member;
  team: { role: TeamRole };
  permissions: { view: boolean };
}

/** The members of a team in the order they joined it. */
export async function listTeamMembers(
  scope: Scope,
  sources: MemberSources,
  filter: PageRequest & { organization: string; team: string; operation: string },
  viewer: TeamViewer,
): Promise<Page<TeamMember>> {
  const { organization, team } = filter;
  const page = await findPage(scope.cursors, {
    model: scope.store.read(teamMembers),
    filter: { team },
    sort: 'joinedAt',
    binding: { operation: filter.operation, scope: { organization, team }, order: 'asc' },
    request: filter,
  });
  const found = keyed(
    await scope.store.read(members).byIds(page.items.map(({ user }) => memberKey(organization, user))),
  );
  const docs = page.items
    .map(({ user }) => found.get(memberKey(organization, user)))
    .filter((doc) => doc !== undefined);
  const rendered = new Map((await renderMembers(scope, sources, docs)).map((member) => [member.id, member]));
  const view = roleAtLeast(viewer.role, 'read');
  const items = page.items.flatMap(({ user, role }) => {
    const member = rendered.get(user);
    return member === undefined
      ? []
      : [{ organization: member, team: { role }, permissions: { view: view || user === viewer.user } }];
  });
  return { ...page, items };
}
