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

/** The level that was granted to somebody on a space; `undefined` where there is no grant. */
export type Granted = Exclude<MemberRole, 'admin'> | 'none' | undefined;

/** What a writer remembers of a page that it made. */
export interface Page {
  id: string;
  /** The title, which no other page has. */
  tag: string;
  text: Field<string>;
}

export type RequestStatus = 'draft' | 'open' | 'archived' | 'merged';

/** What a writer remembers of a change request that it made. */
export interface ChangeRequest {
  id: string;
  number: number;
  /** First word of the subject, which no other change request has. */
  tag: string;
  title: Field<string>;
  status: Field<RequestStatus>;
  /** Pages that it adds, which are not in the space. */
  added: Page[];
  /** Pages of the space that it has as the space has them, by id. What it edits of others is a conflict. */
  known: Set<string>;
  /** Texts that it gives to pages of the space. Nobody else writes there meanwhile. */
  edited: Map<Page, Field<string>>;
  /** Titles of added pages of which nobody told whether they were made. */
  perhaps: Set<string>;
  /** As of a team. `Infinity`: a merge of unknown outcome. */
  restsUntil: number;
}

/** What a writer remembers of a space that it made. */
export interface Space {
  id: string;
  /** First word of the title, which no other space has. */
  tag: string;
  title: Field<string>;
  grants: Map<string, Field<Granted>>;
  pages: Page[];
  /** Titles of pages of which nobody told whether they were made. */
  perhaps: Set<string>;
  requests: ChangeRequest[];
  /** Tags of change requests of which nobody told whether they were made. */
  perhapsRequests: Set<string>;
  /** Revisions that were read, with the hash of what they were read as: they never change. */
  revisions: Map<string, string>;
  /** Merges that changed its content. `certain`: unless the outcome of one is unknown. */
  merges: { count: number; certain: boolean };
  deleted: boolean;
  /** As of a team. */
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
  spaces: Space[];
  /** Tags of teams and spaces of which nobody told whether they were made. */
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

export function newSpace(id: string, tag: string, title: string): Space {
  const pages: Page[] = [];
  return {
    id,
    tag,
    title: new Field(title),
    grants: new Map(),
    pages,
    perhaps: new Set(),
    requests: [],
    perhapsRequests: new Set(),
    revisions: new Map(),
    merges: { count: 0, certain: true },
    deleted: false,
    restsUntil: 0,
  };
}

export function newRequest(
  { id, number }: { id: string; number: number },
  { tag, title, known }: { tag: string; title: string; known: readonly Page[] },
): ChangeRequest {
  return {
    id,
    number,
    tag,
    title: new Field(title),
    status: new Field<RequestStatus>('draft'),
    added: [],
    known: new Set(known.map((page) => page.id)),
    edited: new Map(),
    perhaps: new Set(),
    restsUntil: 0,
  };
}

/** Pages of a space that no change request edits. */
export function freePages({ pages, requests }: Space): Page[] {
  return pages.filter((page) => requests.every(({ edited }) => !edited.has(page)));
}

/** A page of the space gets another text, or perhaps: no change request has it as the space does any more. */
export function outdate({ requests }: Space, page: Page): void {
  for (const { known } of requests) known.delete(page.id);
}

/** What is granted to a person on a space, which is nothing unless something was written. */
export function grantOf(space: Space, user: string): Field<Granted> {
  const grant = space.grants.get(user) ?? new Field<Granted>(undefined);
  space.grants.set(user, grant);
  return grant;
}
