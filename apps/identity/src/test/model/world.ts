import { roleAtLeast, type MemberRole, type TeamRole } from '@scriptorium/contracts';
import type { Person, Rig } from '../rig.js';

export type Role = MemberRole | null;

export interface ModelOrganization {
  id: string;
  title: string;
  members: Map<string, Role>;
  /** Members who came by themselves, or have changed something since an admin added them. */
  accepted: Set<string>;
  /** Who is in each team. */
  teams: Map<string, Map<string, TeamRole>>;
  /** Addresses that are waited for, in the order in which they were first invited. */
  invites: Map<string, Role>;
  links: Map<string, Role>;
}

/** What there should be: the rules of the contract over plain maps, without history, without processes, without time. */
export interface Model {
  people: Map<string, Person>;
  organizations: Map<string, ModelOrganization>;
  /** Ids of people and organizations that are no more. */
  gone: string[];
}

/** What there is. */
export interface Real {
  rig: Rig;
  /** Addresses that people of this run may have. */
  addresses: readonly string[];
}

/** Picks one by any number; undefined of none. */
export function pick<T>(from: Iterable<T>, number: number): T | undefined {
  const all = [...from];
  return all[number % Math.max(1, all.length)];
}

export function knownBy(model: Model, email: string): Person | undefined {
  return [...model.people.values()].find((person) => person.email === email);
}

/** Whether nobody else is an admin who has accepted. */
export function isLastAdmin({ members, accepted }: ModelOrganization, user: string): boolean {
  const admins = [...accepted].filter((id) => members.get(id) === 'admin');
  return admins.length === 1 && admins[0] === user;
}

/** The rig, from which the model hears who changes something in an organization: that accepts a membership. */
export function heardBy({ people, organizations }: Model, rig: Rig): Rig {
  return {
    ...rig,
    async send(method, path, options) {
      const answer = await rig.send(method, path, options);
      const actor = [...people.values()].find(({ token }) => token === options?.token);
      const organization = organizations.get(path.split('/')[2] ?? '');
      if (
        method !== 'GET' &&
        answer.status < 300 &&
        actor !== undefined &&
        organization?.members.has(actor.id) === true
      )
        organization.accepted.add(actor.id);
      return answer;
    },
  };
}

/** Whoever leaves an organization leaves its teams. */
export function leave(organization: ModelOrganization, user: string): void {
  organization.members.delete(user);
  organization.accepted.delete(user);
  for (const members of organization.teams.values()) members.delete(user);
}

/** Makes somebody a member who is none yet. Who comes by a link has accepted, who is invited has not. */
export function join(organization: ModelOrganization, { id, email }: Person, role: Role, via: 'invite' | 'link'): void {
  organization.invites.delete(email);
  if (organization.members.has(id)) return;
  organization.members.set(id, role);
  if (via === 'link') organization.accepted.add(id);
}

/** The answer to what members may know of and admins may do. */
export function byAdmin(organization: ModelOrganization, user: string, done: number): number {
  const role = organization.members.get(user);
  if (role === undefined) return 404;
  return role === 'admin' ? done : 403;
}

/** The answer to what is done to a member, or by a member to themselves. `hidden`: where the member is not to be known of. */
export function toMember(
  organization: ModelOrganization,
  actor: string,
  member: string,
  { hidden, self, done }: { hidden: number; self: boolean; done: number },
): number {
  const role = organization.members.get(actor);
  if (role === undefined) return 404;
  if (!organization.members.has(member) || !(actor === member || roleAtLeast(role, 'read'))) return hidden;
  return role === 'admin' || (self && actor === member) ? done : 403;
}
