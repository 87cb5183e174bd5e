import { expect } from '@jest/globals';
import type * as fc from 'fast-check';
import { eventually } from '../rig.js';
import { command, repeat, type CommandInput } from './command.js';
import { byAdmin, isLastAdmin, join, knownBy, leave, pick, toMember, type Model, type Real } from './model.js';

/** Registers a person with a verified address, who becomes a member wherever the address was invited. */
async function register({ model, real: { rig, addresses }, some }: CommandInput): Promise<void> {
  const email = String(pick(addresses, some));
  const { status, body } = await rig.send('POST', '/users', {
    body: { email, displayName: `Person ${some}`, emailVerified: true },
  });
  expect(status).toBe(knownBy(model, email) === undefined ? 201 : 409);
  if (status !== 201) return;
  const id = String(body['id']);
  const made = await rig.send('POST', `/users/${id}/tokens`, { body: { label: 'model' } });
  const person = { id, email, token: String(made.body['token']) };
  model.people.set(id, person);
  for (const organization of model.organizations.values()) {
    const role = organization.invites.get(email);
    if (role !== undefined) join(organization, person, role, 'invite');
  }
  const expected = [...model.organizations.values()].filter(({ members }) => members.has(id)).length;
  await eventually(
    async () => (await rig.send('GET', '/orgs?limit=0', { token: person.token })).body['count'] === expected,
  );
}

async function eraseSelf({ model, real: { rig }, actor }: CommandInput): Promise<void> {
  await erased(model, actor.id, () => rig.send('DELETE', '/user', { token: actor.token }));
}

async function eraseOther({ model, real: { rig }, other }: CommandInput): Promise<void> {
  await erased(model, other.id, () => rig.send('DELETE', `/users/${other.id}`));
}

async function erased(model: Model, user: string, erase: () => Promise<{ status: number }>): Promise<void> {
  const organizations = [...model.organizations.values()];
  const kept = organizations.some((organization) => isLastAdmin(organization, user));
  expect((await erase()).status).toBe(kept ? 409 : 205);
  if (kept) return;
  for (const organization of organizations) leave(organization, user);
  model.people.delete(user);
  model.removedIds.push(user);
}

async function invite({
  model,
  real: { rig, addresses },
  actor,
  organization,
  some,
  role,
}: CommandInput): Promise<void> {
  const email = String(pick(addresses, some));
  const { status, body } = await rig.send('POST', `/orgs/${organization.id}/invites`, {
    token: actor.token,
    body: { emails: [email], role },
  });
  expect(status).toBe(byAdmin(organization, actor.id, 200));
  if (status !== 200) return;
  const known = knownBy(model, email);
  const joins = known !== undefined && !organization.members.has(known.id);
  expect(body).toEqual({ users: joins ? [known.id] : [], invited: known === undefined ? 1 : 0 });
  if (known === undefined) organization.invites.set(email, role);
  else join(organization, known, role, 'invite');
}

async function changeRole({ real: { rig }, actor, other, organization, role }: CommandInput): Promise<void> {
  const { status } = await rig.send('PATCH', `/orgs/${organization.id}/members/${other.id}`, {
    token: actor.token,
    body: { role },
  });
  const refused = isLastAdmin(organization, other.id) && role !== 'admin';
  expect(status).toBe(
    toMember(organization, actor.id, other.id, { hidden: 404, self: false, done: refused ? 409 : 200 }),
  );
  if (status === 200) organization.members.set(other.id, role);
}

async function removeMember({ real: { rig }, actor, other, organization }: CommandInput): Promise<void> {
  const { status } = await rig.send('DELETE', `/orgs/${organization.id}/members/${other.id}`, { token: actor.token });
  const done = isLastAdmin(organization, other.id) ? 409 : 205;
  expect(status).toBe(toMember(organization, actor.id, other.id, { hidden: 204, self: true, done }));
  if (status === 205) leave(organization, other.id);
}

export const peopleCommands: fc.Arbitrary<fc.AsyncCommand<Model, Real>>[] = [
  ...repeat(5, command('register', register)),
  command('eraseSelf', eraseSelf),
  command('eraseOther', eraseOther),
  ...repeat(6, command('invite', invite)),
  ...repeat(2, command('changeRole', changeRole)),
  command('removeMember', removeMember),
  command('leave', (turn) => removeMember({ ...turn, actor: turn.other })),
];
