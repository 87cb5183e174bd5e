import { Field } from './field.js';

export type MemberRole = 'admin' | 'create' | 'edit' | 'review' | 'comment' | 'read';
export type Place = 'owner' | 'member' | null;

/** What a writer remembers of a person in its organization. */
export interface Person {
  id: string;
  email: string;
  role: Field<MemberRole>;
  inside: boolean;
}

/** What a writer remembers of a team that it made. */
export interface Team {
  id: string;
  /** First word of the title, which no other team has. */
  tag: string;
  title: Field<string>;
  places: Map<string, Field<Place>>;
  deleted: boolean;
  /** Until when a write of unknown outcome may still happen; nothing is written before. Epoch of `performance.now`. */
  restsUntil: number;
}

/** Everything that one writer was promised. */
export interface Memory {
  name: string;
  organization: string;
  /** Members for good. */
  staying: Person[];
  /** A member who leaves and comes back. */
  moving: Person;
  teams: Team[];
  /** Tags of teams of which nobody told whether they were made. */
  perhaps: Set<string>;
  /** Addresses whose invitation was acknowledged. */
  invited: { email: string; role: MemberRole }[];
}

export function newTeam(id: string, tag: string, title: string, members: readonly string[]): Team {
  const places = new Map(members.map((user) => [user, new Field<Place>('member')]));
  return { id, tag, title: new Field(title), places, deleted: false, restsUntil: 0 };
}

/** A person's place in a team, which is none unless something was written. */
export function placeOf(team: Team, user: string): Field<Place> {
  const place = team.places.get(user) ?? new Field<Place>(null);
  team.places.set(user, place);
  return place;
}
