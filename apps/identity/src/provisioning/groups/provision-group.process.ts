import { AppError, limitReached, type Principal } from '@scriptorium/contracts';
import { keyedEntries } from '@scriptorium/event-sourcing';
import { newId, type Call } from '@scriptorium/platform';
import { findMembers } from '../../organizations/index.js';
import { changeMembers, createTeam, removeTeam, renameTeam, team } from '../../teams/index.js';
import { refusal } from '../protocol/refusal.js';
import type { GroupWish } from '../protocol/wishes.js';
import {
  beginTeam,
  begunTeam,
  completeTeam,
  forgetTeam,
  forgetUnmadeTeam,
  nameTeam,
  provisioning,
  teamsNamed,
  type WantedTeam,
} from '../provisioning.js';

/** The most changes of members in one append. */
const perAppend = 500;

type Candidate = Awaited<ReturnType<typeof membersOf>>[number];

/**
 * Creates a team for a group of the identity provider. A request that was interrupted can be repeated: it completes the
 * team that the first one has begun. Returns its id.
 * @throws AppError `limit_reached`
 */
export async function createProvisionedGroup(
  call: Call<Principal | null>,
  organization: string,
  { displayName: title, externalId, members }: GroupWish,
): Promise<string> {
  const found = await membersOf(call, organization, valuesOf(members));
  requireSize(call, found.length);
  const id = await begin(call, organization, { title, externalId: externalId ?? null });
  try {
    await makeTeam(call, { id, organization, title, members: found });
  } catch (error) {
    // After another error, such as that of a server, the request can be repeated.
    const isRefused = error instanceof AppError && error.reason !== 'unavailable';
    if (isRefused && (await call.store.load(team, id)).status !== 'active') await forget(call, organization, id);
    throw error;
  }
  await call.store.handle(provisioning, organization, (state) => completeTeam(state, { team: id }));
  return id;
}

type Wanted = Omit<WantedTeam, 'team'>;

/** The id of the team that is to be created: a new one, or that of the same request before. */
async function begin(call: Call<Principal | null>, organization: string, wanted: Wanted): Promise<string> {
  const { store } = call;
  await forgetMissing(call, organization, wanted);
  for (;;) {
    const own = newId();
    const { state } = await store.handle(provisioning, organization, (now) => beginTeam(now, { ...wanted, team: own }));
    const id = begunTeam(state, wanted) ?? own;
    const present = await store.load(team, id);
    if (present.status === 'absent') return id;
    if (present.status === 'active' && (wanted.externalId !== null || present.title === wanted.title)) return id;
    // Somebody has deleted or renamed the team since.
    const end = present.status === 'deleted' ? forgetTeam : completeTeam;
    await store.handle(provisioning, organization, (now) => end(now, { team: id }));
  }
}

/** Frees the provider's id of a team that has just been deleted, or was not made before it was dropped. */
async function forgetMissing(
  call: Call<Principal | null>,
  organization: string,
  { externalId }: Wanted,
): Promise<void> {
  if (externalId === null) return;
  const { store } = call;
  for (const id of teamsNamed(await store.load(provisioning, organization), externalId)) {
    const { status } = await store.load(team, id);
    if (status === 'active') continue;
    const end = status === 'deleted' ? forgetTeam : forgetUnmadeTeam;
    await store.handle(provisioning, organization, (state) => end(state, { team: id }));
  }
}

interface NewTeam {
  id: string;
  organization: string;
  title: string;
  members: readonly Candidate[];
}

async function makeTeam(call: Call<Principal | null>, wanted: NewTeam): Promise<void> {
  const { id, title, members } = wanted;
  if (await isCreated(call, wanted)) return addInParts(call, id, members.slice(perAppend));
  // What the same request has recorded before, or at the same time, is not recorded again.
  await call.store.handle(team, id, (state) => renameTeam(state, { title, by: managerOf(call) }));
  await addInParts(call, id, members);
}

/** Creates a team with its first members, unless it exists. */
async function isCreated(call: Call<Principal | null>, { members, ...wanted }: NewTeam): Promise<boolean> {
  const exists = async () => (await call.store.load(team, wanted.id)).status === 'active';
  if (await exists()) return false;
  try {
    await createTeam(call, { ...wanted, members: members.slice(0, perAppend) });
    return true;
  } catch (error) {
    if (await exists()) return false;
    throw error;
  }
}

interface GroupChange {
  /** The members that the provider's change started from, so that changes of others at the same time stay. */
  before: TeamMembers;
  wish: GroupWish;
  /** Whether the provider has changed the title, and its own name of the group. */
  isRenamed: boolean;
  isNamed: boolean;
}

/** Changes a team as the identity provider wants it: title and members. */
export async function changeProvisionedGroup(
  call: Call<Principal | null>,
  organization: string,
  id: string,
  { before, wish, isRenamed, isNamed }: GroupChange,
): Promise<void> {
  const wanted = new Set(valuesOf(wish.members));
  const had = new Set(before.present);
  const added = await membersOf(
    call,
    organization,
    [...wanted].filter((user) => !had.has(user)),
  );
  requireSize(call, wanted.size);
  const by = managerOf(call);
  if (isRenamed) await call.store.handle(team, id, (state) => renameTeam(state, { title: wish.displayName, by }));
  const leaving = before.present.filter((user) => !wanted.has(user));
  await removeInParts(call, id, [...leaving, ...before.ended]);
  await addInParts(call, id, added);
  const externalId = wish.externalId ?? null;
  await call.store.handle(provisioning, organization, (state) => [
    ...(isNamed ? nameTeam(state, { team: id, externalId }) : []),
    // The provider has taken it up, also where the request that was to create it was interrupted.
    ...completeTeam(state, { team: id }),
  ]);
}

export async function deleteProvisionedGroup(
  call: Call<Principal | null>,
  organization: string,
  id: string,
): Promise<void> {
  await call.store.handle(team, id, removeTeam);
  await forget(call, organization, id);
}

export interface TeamMembers {
  present: readonly string[];
  /** Those who have left the organization since, which the team has not recorded yet. */
  ended: readonly string[];
}

/** Members as the team itself has recorded them. */
export async function membersOfTeam(
  call: Call<Principal | null>,
  organization: string,
  id: string,
): Promise<TeamMembers> {
  const state = await call.store.load(team, id);
  const recorded = state.status === 'active' ? keyedEntries(state.members) : [];
  const { members } = await findMembers(
    call,
    organization,
    recorded.map(([user]) => user),
  );
  const isPresent = ([user, { membership }]: (typeof recorded)[number]) => members.get(user)?.membership === membership;
  return {
    present: recorded.filter(isPresent).map(([user]) => user),
    ended: recorded.filter((one) => !isPresent(one)).map(([user]) => user),
  };
}

function valuesOf(members: GroupWish['members']): string[] {
  return [...new Set(members.map(({ value }) => value))];
}

/** @throws AppError `invalid_request` that names who is no member of the organization */
async function membersOf(call: Call<Principal | null>, organization: string, ids: readonly string[]) {
  const { members } = await findMembers(call, organization, ids);
  const missing = ids.find((id) => !members.has(id));
  if (missing !== undefined)
    throw refusal('invalidValue', `members: ${missing} is not an active user of the organization`);
  return [...members.values()];
}

/** Before anything is recorded, since members are added in parts. */
function requireSize({ limits }: Call<Principal | null>, size: number): void {
  if (size > limits.membersPerTeam) throw limitReached('membersPerTeam', limits.membersPerTeam);
}

/** The provider acts as an admin does. */
function managerOf({ store }: Call<Principal | null>) {
  return { user: store.context.actor.id, admin: true };
}

async function addInParts(call: Call<Principal | null>, id: string, added: readonly Candidate[]) {
  const common = { remove: [], by: managerOf(call), limit: call.limits.membersPerTeam };
  for (let start = 0; start < added.length; start += perAppend) {
    const put = added.slice(start, start + perAppend);
    await call.store.handle(team, id, (state) => changeMembers(state, { ...common, put }));
  }
}

async function removeInParts(call: Call<Principal | null>, id: string, leaving: readonly string[]) {
  const common = { put: [], by: managerOf(call), limit: call.limits.membersPerTeam };
  for (let start = 0; start < leaving.length; start += perAppend) {
    const remove = leaving.slice(start, start + perAppend);
    await call.store.handle(team, id, (state) => changeMembers(state, { ...common, remove }));
  }
}

async function forget(call: Call<Principal | null>, organization: string, id: string): Promise<void> {
  await call.store.handle(provisioning, organization, (state) => forgetTeam(state, { team: id }));
}
