import { roleAtLeast, type MemberRole, type TeamRole } from '@scriptorium/contracts';
import type { Person, Rig } from '../rig.js';

export type Role = MemberRole | null;

export interface ModelOrganization {
  id: string;
  title: string;
  members: Map<string, Role>;
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

export function isLastAdmin(organization: ModelOrganization, user: string): boolean {
  const admins = [...organization.members].filter(([, role]) => role === 'admin');
  return admins.length === 1 && admins[0]?.[0] === user;
}

/** Whoever leaves an organization leaves its teams. */
export function leave(organization: ModelOrganization, user: string): void {
  organization.members.delete(user);
  for (const members of organization.teams.values()) members.delete(user);
}

export function join(organization: ModelOrganization, { id, email }: Person, role: Role): void {
  if (!organization.members.has(id)) organization.members.set(id, role);
  organization.invites.delete(email);
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
