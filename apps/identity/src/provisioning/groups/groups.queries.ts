import { AppError } from '@scriptorium/contracts';
import { keyed, type Scope } from '@scriptorium/platform';
import { sortKey, teamMembers } from '../../organization-read-models/index.js';
import { teams } from '../../teams/index.js';
import type { SCIMQuery } from '../protocol/answers.js';
import { equalities, names, type Filter } from '../protocol/filter.js';
import { groupKind, type Fields } from '../protocol/resource.js';
import { frameOf } from '../protocol/service.js';
import { provisionedTeams } from './provisioned-team.projection.js';

export interface GroupsRead {
  organization: string;
  base: string;
  ids: readonly string[];
  /** Whether their members are read. */
  withMembers: boolean;
}

/** Teams as resources, in the order of their ids. */
export async function findGroups(scope: Scope, wanted: GroupsRead): Promise<Fields[]> {
  const { organization, base, ids, withMembers } = wanted;
  const [docs, provisioned, membersOf] = await Promise.all([
    scope.store.read(teams).byIds(ids),
    scope.store.read(provisionedTeams).byIds(ids),
    withMembers ? findMembers(scope, ids) : undefined,
  ]);
  const [byId, provisionedById] = [keyed(docs), keyed(provisioned)];
  return ids.flatMap((id) => {
    const team = byId.get(id);
    if (team?.organization !== organization) return [];
    const { externalId = null, modifiedAt: lastModified = team.createdAt } = provisionedById.get(id) ?? {};
    const members = membersOf?.get(id) ?? [];
    return [
      {
        ...frameOf(groupKind, base, { id, created: team.createdAt, lastModified }),
        ...(externalId === null ? {} : { externalId }),
        displayName: team.title,
        ...(withMembers
          ? { members: members.map((value) => ({ value, type: 'User', $ref: `${base}/Users/${value}` })) }
          : {}),
      },
    ];
  });
}

/** Ids of the members of teams, by team. */
async function findMembers({ store }: Scope, ids: readonly string[]): Promise<Map<string, string[]>> {
  const places = await store
    .read(teamMembers)
    .find({ team: { $in: [...ids] } })
    .sort({ team: 1, joinedAt: 1, _id: 1 })
    .toArray();
  const found = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const { team, user } of places) found.get(team)?.push(user);
  return found;
}

/** @throws AppError `not_found` */
export async function getGroup(scope: Scope, organization: string, base: string, id: string): Promise<Fields> {
  const [group] = await findGroups(scope, { organization, base, ids: [id], withMembers: true });
  if (group === undefined) throw new AppError('not_found', [], { message: 'There is no such group' });
  return group;
}

/** Whether the filter of a request compares the members of groups. */
export function isMembersCompared({ filter }: SCIMQuery): boolean {
  return filter !== undefined && names(filter, 'members', groupKind);
}

/** Ids of the teams among which all are that meet a filter, sorted. */
export async function candidatesFor(scope: Scope, organization: string, filter: Filter | undefined): Promise<string[]> {
  const { store } = scope;
  const asked = filter === undefined ? new Map<string, string>() : equalities(filter, groupKind);
  const [id, externalId, title] = [asked.get('id'), asked.get('externalid'), asked.get('displayname')];
  if (id !== undefined) return [id];
  if (externalId !== undefined) {
    const named = await store.read(provisionedTeams).find({ organization, externalId }).toArray();
    return named.map(({ _id }) => _id).sort();
  }
  const member = asked.get('members.value') ?? asked.get('members');
  if (member !== undefined) {
    const places = await store.read(teamMembers).find({ organization, user: member }).toArray();
    return places.map(({ team }) => team).sort();
  }
  const docs = await store
    .read(teams)
    .find({ organization, ...(title === undefined ? {} : { titleKey: sortKey(title) }) })
    .project<{ _id: string }>({ _id: 1 })
    .toArray();
  return docs.map(({ _id }) => _id).sort();
}
