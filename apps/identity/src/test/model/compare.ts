import { deepStrictEqual } from 'node:assert/strict';
import { linkInviteDocs } from '../../organizations/link-invitations/link-invite.projection.js';
import { pendingInvites } from '../../organizations/invitations/pending-invite.projection.js';
import { members } from '../../organization-read-models/member.projection.js';
import { organizations } from '../../organization-read-models/organization.projection.js';
import { teamMembers } from '../../organization-read-models/team-member.projection.js';
import { teamPlaces } from '../../teams/team-place.projection.js';
import { teams } from '../../teams/team.projection.js';
import { tokens } from '../../accounts/tokens/token.projection.js';
import { users } from '../../organization-read-models/user.projection.js';
import { eventually } from '../rig.js';
import type { Model, ModelOrganization, Real } from './model.js';

/** The contents of the read models as sorted lists. */
type Shown = Record<string, string[]>;

/**
 * Waits until every read model has the contents of the model, and nothing else for the same people and organizations.
 * Reactors need a moment for that. Fails with the difference.
 */
export async function compare(model: Model, real: Real): Promise<void> {
  const wanted = expected(model);
  const differs = async (): Promise<unknown> => {
    try {
      deepStrictEqual(await shown(model, real), wanted);
      return undefined;
    } catch (error) {
      return error;
    }
  };
  let difference: unknown;
  await eventually(async () => (difference = await differs()) === undefined).catch(() => {
    throw difference as Error;
  });
}

function expected({ people, organizations: all }: Model): Shown {
  const each = (of: (organization: ModelOrganization) => string[]): string[] => [...all.values()].flatMap(of).sort();
  const places = each(({ id, teams: its }) =>
    [...its].flatMap(([team, inside]) => [...inside].map(([user, role]) => line(id, team, user, role))),
  );
  return {
    users: [...people.values()]
      .map(({ id, email }) =>
        line(
          id,
          email,
          [...all.values()]
            .filter((one) => one.members.has(id))
            .map((one) => one.id)
            .sort(),
        ),
      )
      .sort(),
    tokens: [...people.keys()].sort(),
    organizations: each(({ id, title, members: its, teams: inside }) => [line(id, title, its.size, inside.size)]),
    members: each(({ id, members: its }) => [...its].map(([user, role]) => line(id, user, role))),
    teams: each(({ id, teams: its }) => [...its].map(([team, inside]) => line(id, team, inside.size))),
    teamMembers: places,
    teamPlaces: each(({ teams: its }) =>
      [...its].flatMap(([team, inside]) => [...inside.keys()].map((user) => line(team, user))),
    ),
    invites: each(({ id, invites }) => [...invites].map(([email, role]) => line(id, email, role))),
    links: each(({ id, links }) => [...links].map(([link, role]) => line(id, link, role))),
  };
}

async function shown(model: Model, { rig: { store } }: Real): Promise<Shown> {
  const ids = [...model.people.keys(), ...model.organizations.keys(), ...model.removedIds];
  const inThem = { organization: { $in: ids } };
  const read = async <D>(docs: Promise<D[]>, show: (doc: D) => string): Promise<string[]> =>
    (await docs).map(show).sort();
  const its = await store.collection(teams).find(inThem).toArray();
  return {
    users: await read(
      store
        .collection(users)
        .find({ _id: { $in: ids } })
        .toArray(),
      ({ _id, email, organizations: of }) => line(_id, email, [...of].sort()),
    ),
    tokens: await read(
      store
        .collection(tokens)
        .find({ user: { $in: ids } })
        .toArray(),
      ({ user }) => user,
    ),
    organizations: await read(
      store
        .collection(organizations)
        .find({ _id: { $in: ids } })
        .toArray(),
      (doc) => line(doc._id, doc.title, doc.members, doc.teams),
    ),
    members: await read(store.collection(members).find(inThem).toArray(), ({ organization, user, role }) =>
      line(organization, user, role),
    ),
    teams: its.map(({ _id, organization, members: count }) => line(organization, _id, count)).sort(),
    teamMembers: await read(
      store.collection(teamMembers).find(inThem).toArray(),
      ({ organization, team, user, role }) => line(organization, team, user, role),
    ),
    teamPlaces: await read(
      store
        .collection(teamPlaces)
        .find({ team: { $in: its.map(({ _id }) => _id) } })
        .toArray(),
      ({ _id, team }) => line(team, _id.slice(team.length + 1)),
    ),
    invites: await read(store.collection(pendingInvites).find(inThem).toArray(), ({ organization, email, role }) =>
      line(organization, email, role),
    ),
    links: await read(store.collection(linkInviteDocs).find(inThem).toArray(), (doc) =>
      line(doc.organization, doc._id, 'role' in doc ? doc.role : doc.level),
    ),
  };
}

function line(...parts: unknown[]): string {
  return JSON.stringify(parts);
}
