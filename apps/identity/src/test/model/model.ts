import { roleAtLeast, type MemberRole, type TeamRole } from '@scriptorium/contracts';
import type { Person, Rig } from '../own-rig.js';

export type Role = MemberRole | null;

export interface ModelOrganization {
  id: string;
  title: string;
  members: Map<string, Role>;
  /** Members who joined by themselves, or have changed something since an admin added them. */
  accepted: Set<string>;
  /** The members of each team. */
  teams: Map<string, Map<string, TeamRole>>;
  /** Invited addresses, in the order of their first invitation. */
  invites: Map<string, Role>;
  links: Map<string, Role>;
}

/** The expected state: the rules of the contract over plain maps, without history, processes or time. */
export interface Model {
  people: Map<string, Person>;
  organizations: Map<string, ModelOrganization>;
  /** Ids of removed people and organizations. */
  removedIds: string[];
}

/** The product under test. */
export interface Real {
  rig: Rig;
  /** The addresses of people of this run. */
  addresses: readonly string[];
}

/** Selects one entry by a number; undefined when there is none. */
export function pick<T>(from: Iterable<T>, number: number): T | undefined {
  const all = [...from];
  return all[number % Math.max(1, all.length)];
}

export function knownBy(model: Model, email: string): Person | undefined {
  return [...model.people.values()].find((person) => person.email === email);
}

/** Whether the user is the only admin who has accepted the membership. */
export function isLastAdmin({ members, accepted }: ModelOrganization, user: string): boolean {
  const admins = [...accepted].filter((id) => members.get(id) === 'admin');
  return admins.length === 1 && admins[0] === user;
}

/** A rig that records in the model who changes something in an organization, since that accepts a membership. */
export function observedRig({ people, organizations }: Model, rig: Rig): Rig {
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

/** Removes a person from an organization and its teams. */
export function leave(organization: ModelOrganization, user: string): void {
  organization.members.delete(user);
  organization.accepted.delete(user);
  for (const members of organization.teams.values()) members.delete(user);
}

/** Makes a person a member. A person who joins by a link has accepted the membership, an invited one has not. */
export function join(organization: ModelOrganization, { id, email }: Person, role: Role, via: 'invite' | 'link'): void {
  organization.invites.delete(email);
  if (organization.members.has(id)) return;
  organization.members.set(id, role);
  if (via === 'link') organization.accepted.add(id);
}

/** The status of a request that only admins may send, about something that members may see. */
export function byAdmin(organization: ModelOrganization, user: string, done: number): number {
  const role = organization.members.get(user);
  if (role === undefined) return 404;
  return role === 'admin' ? done : 403;
}

/** The status of a request about a member. `hidden`: the status for callers who may not see the member. */
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
