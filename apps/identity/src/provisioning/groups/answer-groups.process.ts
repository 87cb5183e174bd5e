import { AppError, type Principal } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import { isWanted, readQuery, selected, type SCIMAnswer } from '../protocol/answers.js';
import { pageOf } from '../protocol/paged.js';
import { patched, readResource } from '../protocol/patch.js';
import { groupKind } from '../protocol/resource.js';
import type { ResourceRequest, SCIMPlace } from '../protocol/request.js';
import { readGroup } from '../protocol/wishes.js';
import { candidatesFor, findGroups, getGroup, isMembersCompared } from './groups.queries.js';
import {
  changeProvisionedGroup,
  createProvisionedGroup,
  deleteProvisionedGroup,
  membersOfTeam,
} from './provision-group.process.js';

/** Answers requests at `/Groups`. */
export async function answerGroups(
  call: Call<Principal | null>,
  place: SCIMPlace,
  { method, id, query, body }: ResourceRequest,
): Promise<SCIMAnswer> {
  const { organization, base } = place;
  if (id === undefined) {
    if (method === 'GET') return listGroups(call, place, query);
    if (method !== 'POST') throw new AppError('method_not_allowed');
    const made = await createProvisionedGroup(call, organization, readGroup(readResource(groupKind, body)));
    const resource = await showGroup(call, place, made, query);
    return { ...resource, status: 201, location: `${base}/Groups/${made}` };
  }
  if (method === 'POST') throw new AppError('method_not_allowed');
  if (method === 'GET') return showGroup(call, place, id, query);
  const group = await getGroup(call, organization, base, id);
  if (method === 'DELETE') {
    await deleteProvisionedGroup(call, organization, id);
    return { status: 204 };
  }
  // Of the team itself: the read model could leave out whom another request has just added.
  const before = await membersOfTeam(call, organization, id);
  const members = before.present.map((value) => ({ value, type: 'User' }));
  const asked = method === 'PUT' ? readResource(groupKind, body) : patched(groupKind, { ...group, members }, body);
  const wish = readGroup(asked);
  // What a PATCH does not name stays as it is, also where somebody else has just changed it.
  const isRenamed = method === 'PUT' || wish.displayName !== group['displayName'];
  const isNamed = method === 'PUT' || wish.externalId !== group['externalId'];
  await changeProvisionedGroup(call, organization, id, { before, wish, isRenamed, isNamed });
  return showGroup(call, place, id, query);
}

async function showGroup(
  call: Call<Principal | null>,
  { organization, base }: SCIMPlace,
  id: string,
  query: ResourceRequest['query'],
): Promise<SCIMAnswer> {
  const group = await getGroup(call, organization, base, id);
  return { status: 200, body: selected(groupKind, group, readQuery(query)) };
}

async function listGroups(
  call: Call<Principal | null>,
  { organization, base }: SCIMPlace,
  given: ResourceRequest['query'],
): Promise<SCIMAnswer> {
  const query = readQuery(given);
  const candidates = await candidatesFor(call, organization, query.filter);
  const reading = (withMembers: boolean) => ({
    read: (ids: readonly string[]) => findGroups(call, { organization, base, ids, withMembers }),
    // The members of a team can be thousands.
    atOnce: withMembers ? 20 : 500,
  });
  return pageOf(groupKind, candidates, query, {
    compared: reading(isMembersCompared(query)),
    shown: reading(isWanted(query, groupKind, 'members')),
  });
}
