import { expect } from '@jest/globals';
import type * as fc from 'fast-check';
import { command, repeat, type CommandInput, type ModelInput } from './command.js';
import { byAdmin, join, pick, type Model, type ModelOrganization, type Real } from './model.js';

/** The most organizations, few enough that people share them. */
const mostOrganizations = 3;

async function create({ model, real, actor, some }: CommandInput): Promise<void> {
  await createModelOrganization(model, real, actor, `Organization ${some}`);
}

export async function createModelOrganization(
  model: Model,
  { rig }: Real,
  founder: { id: string; token: string },
  title: string,
): Promise<void> {
  const { status, body } = await rig.send('POST', '/orgs', { token: founder.token, body: { title } });
  expect(status).toBe(201);
  const id = String(body['id']);
  model.organizations.set(id, {
    id,
    title,
    members: new Map([[founder.id, 'admin']]),
    accepted: new Set([founder.id]),
    teams: new Map(),
    invites: new Map(),
    links: new Map(),
  });
}

async function rename({ real: { rig }, actor, organization, some }: CommandInput): Promise<void> {
  const title = `Renamed ${some}`;
  const { status } = await rig.send('PATCH', `/orgs/${organization.id}`, { token: actor.token, body: { title } });
  expect(status).toBe(byAdmin(organization, actor.id, 200));
  if (status === 200) organization.title = title;
}

async function remove({ model, real: { rig }, actor, organization }: CommandInput): Promise<void> {
  const { status } = await rig.send('DELETE', `/orgs/${organization.id}`, { token: actor.token });
  const expected = byAdmin(organization, actor.id, 205);
  expect(status).toBe(expected === 404 ? 204 : expected);
  if (status !== 205) return;
  model.organizations.delete(organization.id);
  model.removedIds.push(organization.id);
}

async function makeLink({ real: { rig }, actor, organization, role }: CommandInput): Promise<void> {
  const { status, body } = await rig.send('POST', `/orgs/${organization.id}/link-invites`, {
    token: actor.token,
    body: { role },
  });
  expect(status).toBe(byAdmin(organization, actor.id, 201));
  if (status === 201) organization.links.set(String(body['id']), role);
}

async function joinByLink({ real: { rig }, stranger, organization, part }: CommandInput): Promise<void> {
  const [link = '', role = null] = pick(organization.links, part) ?? [];
  expect((await rig.send('POST', `/orgs/${organization.id}/invites/${link}`, { token: stranger.token })).status).toBe(
    200,
  );
  join(organization, stranger, role, 'link');
}

async function deleteLink({ real: { rig }, actor, organization, part }: CommandInput): Promise<void> {
  const link = String(pick(organization.links.keys(), part));
  const { status } = await rig.send('DELETE', `/orgs/${organization.id}/link-invites/${link}`, { token: actor.token });
  const expected = byAdmin(organization, actor.id, 205);
  expect(status).toBe(expected === 403 ? 204 : expected);
  if (status === 205) organization.links.delete(link);
}

async function makeTeam({ real: { rig }, actor, organization, some }: CommandInput): Promise<void> {
  const members = [...organization.members.keys()].filter((_, i) => (some >> i) % 2 === 1);
  const { status, body } = await rig.send('PUT', `/orgs/${organization.id}/teams`, {
    token: actor.token,
    body: { title: `Team ${some}`, members },
  });
  expect(status).toBe(byAdmin(organization, actor.id, 201));
  if (status === 201) organization.teams.set(String(body['id']), new Map(members.map((user) => [user, 'member'])));
}

async function putInTeam({
  real: { rig },
  actor,
  other,
  organization,
  part,
  teamRole: role,
}: CommandInput): Promise<void> {
  const [team = '', members] = pick(organization.teams, part) ?? [];
  const { status } = await rig.send('PUT', `/orgs/${organization.id}/teams/${team}/members/${other.id}`, {
    token: actor.token,
    body: { role },
  });
  expect(status).toBe(byAdmin(organization, actor.id, organization.members.has(other.id) ? 204 : 404));
  if (status === 204) members?.set(other.id, role ?? members.get(other.id) ?? 'member');
}

async function takeFromTeam({ real: { rig }, actor, other, organization, part }: CommandInput): Promise<void> {
  const [team = '', members] = pick(organization.teams, part) ?? [];
  const { status } = await rig.send('DELETE', `/orgs/${organization.id}/teams/${team}/members/${other.id}`, {
    token: actor.token,
  });
  expect(status).toBe(byAdmin(organization, actor.id, members?.has(other.id) === true ? 205 : 204));
  if (status === 205) members?.delete(other.id);
}

async function deleteTeam({ real: { rig }, actor, organization, part }: CommandInput): Promise<void> {
  const team = String(pick(organization.teams.keys(), part));
  const { status } = await rig.send('DELETE', `/orgs/${organization.id}/teams/${team}`, { token: actor.token });
  expect(status).toBe(byAdmin(organization, actor.id, 205));
  if (status === 205) organization.teams.delete(team);
}

/** What guests and members may do in teams depends on their role in the team. The authorization matrix covers that. */
function isAdminOrStranger({ organization, actor }: ModelInput): boolean {
  const role = organization.members.get(actor.id);
  return role === undefined || role === 'admin';
}

const hasTeams = ({ organization }: ModelInput): boolean => organization.teams.size > 0;
const hasLinks = ({ organization }: { organization: ModelOrganization }): boolean => organization.links.size > 0;
const inTeams = (turn: ModelInput): boolean => hasTeams(turn) && isAdminOrStranger(turn);

export const organizationCommands: fc.Arbitrary<fc.AsyncCommand<Model, Real>>[] = [
  command('create', create, ({ model }) => model.organizations.size < mostOrganizations),
  command('rename', rename),
  // The last organizations are not deleted, since the remaining commands need one.
  command('deleteOrganization', remove, ({ model }) => model.organizations.size > 2),
  ...repeat(2, command('makeLink', makeLink)),
  ...repeat(8, command('joinByLink', joinByLink, hasLinks)),
  command('deleteLink', deleteLink, hasLinks),
  ...repeat(3, command('makeTeam', makeTeam)),
  ...repeat(10, command('putInTeam', putInTeam, inTeams)),
  command('takeFromTeam', takeFromTeam, inTeams),
  command('deleteTeam', deleteTeam, inTeams),
];
