import { setTimeout as delay } from 'node:timers/promises';
import type { Caller } from './caller.js';
import type { Granted, Memory, Person, Place, Space, Team } from './memory.js';
import { pagesIn, requestLosses, textOf, type Get } from './request-losses.js';
import { revisionLosses } from './revisions.js';

const againMs = 200;
const attempts = 50;

/** What a writer was promised and cannot read, in words. */
export async function lossesOf(memory: Memory, caller: Caller): Promise<string[]> {
  const reader = new Reader(memory, caller);
  const perTeam = await Promise.all(
    memory.teams.map((team) => (team.deleted ? reader.deleted(team) : reader.team(team))),
  );
  const perPerson = await Promise.all([...memory.staying, memory.moving].map((person) => reader.person(person)));
  const perSpace = await Promise.all(memory.spaces.map((space) => reader.space(space)));
  const duplicates = [await reader.duplicates('teams', memory.teams), await reader.duplicates('spaces', memory.spaces)];
  return [...perTeam, ...perPerson, ...perSpace, ...duplicates].flat();
}

class Reader {
  readonly #memory: Memory;
  readonly #caller: Caller;

  constructor(memory: Memory, caller: Caller) {
    this.#memory = memory;
    this.#caller = caller;
  }

  async team(team: Team): Promise<string[]> {
    const found = (await this.#ofOrganization(`teams/${team.id}`)) as { title: string; members: number } | undefined;
    if (found === undefined) return [`team ${team.tag} (${team.id}) is lost`];
    const list = (await this.#ofOrganization(`teams/${team.id}/members?limit=1000`)) as {
      items: { organization: { id: string }; team: { role: Place } }[];
      count: number;
    };
    const places = new Map(list.items.map(({ organization, team: { role } }) => [organization.id, role]));
    const losses: string[] = [];
    if (!team.title.allows(found.title))
      losses.push(`team ${team.tag} (${team.id}) has title ${found.title} instead of ${team.title.toString()}`);
    for (const [user, field] of team.places) {
      const place = places.get(user) ?? null;
      if (!field.allows(place))
        losses.push(`team ${team.tag} (${team.id}) has ${user} as ${place} instead of ${field.toString()}`);
      places.delete(user);
    }
    for (const user of places.keys()) losses.push(`team ${team.tag} (${team.id}) has ${user}, who was never put there`);
    if (found.members !== list.count)
      losses.push(`team ${team.tag} (${team.id}) says ${found.members} members and lists ${list.count}`);
    return losses;
  }

  async deleted(team: Team): Promise<string[]> {
    return (await this.#ofOrganization(`teams/${team.id}`)) === undefined
      ? []
      : [`team ${team.tag} (${team.id}) is back`];
  }

  async person({ id, role, inside }: Person): Promise<string[]> {
    const found = (await this.#ofOrganization(`members/${id}`)) as { role: never } | undefined;
    if (!inside) return found === undefined ? [] : [`${id} is a member again`];
    if (found === undefined) return [`${id} is no member any more`];
    return role.allows(found.role) ? [] : [`${id} has role ${String(found.role)} instead of ${role.toString()}`];
  }

  async space(space: Space): Promise<string[]> {
    const name = `space ${space.tag} (${space.id})`;
    // A restoration or deletion of unknown outcome.
    if (space.restsUntil === Infinity) return [];
    const found = (await this.#get(`/v1/spaces/${space.id}`)) as { title: string; deletedAt?: string } | undefined;
    if (found === undefined) return [`${name} is lost`];
    if ((found.deletedAt !== undefined) !== space.deleted)
      return [`${name} is ${space.deleted ? 'there again' : 'deleted'}`];
    const wrong = space.title.allows(found.title)
      ? []
      : [`${name} has title ${found.title} instead of ${space.title.toString()}`];
    return space.deleted
      ? wrong
      : [
          ...wrong,
          ...(await this.#grants(space, name)),
          ...(await this.#pages(space, name)),
          ...(await requestLosses(space, name, this.#get)),
          ...(await revisionLosses(space, name, this.#get)),
        ];
  }

  /** Each page once, with its text, and none that nobody was promised. */
  async #pages(space: Space, name: string): Promise<string[]> {
    const content = `/v1/spaces/${space.id}/content`;
    const found = new Map((await pagesIn(this.#get, content)).map(({ id, title }) => [id, title]));
    const unclear = space.requests.filter(({ restsUntil }) => restsUntil === Infinity);
    const perhaps = new Set([...space.perhaps, ...unclear.flatMap(({ added }) => added.map(({ tag }) => tag))]);
    const losses: string[] = [];
    for (const page of space.pages) {
      const isThere = found.delete(page.id);
      const written = isThere ? await textOf(this.#get, content, page.id) : 'no text';
      const allowed = [page.text, ...unclear.flatMap(({ edited }) => edited.get(page) ?? [])];
      if (!allowed.some((text) => text.allows(written)))
        losses.push(`${name} has page ${page.tag} with ${written} instead of ${allowed.join(' or ')}`);
    }
    const more = [...found.values()];
    const unknown = more.filter((title, i) => !perhaps.has(title) || more.indexOf(title) !== i);
    return [...losses, ...unknown.map((title) => `${name} has a page ${title} that nobody was promised`)];
  }

  async #grants(space: Space, name: string): Promise<string[]> {
    const { items } = (await this.#get(`/v1/spaces/${space.id}/permissions/users?limit=1000`)) as {
      items: { user: { id: string }; permission?: Granted; access?: 'none' }[];
    };
    const found = new Map(items.map(({ user, permission, access }) => [user.id, permission ?? access]));
    return [...space.grants].flatMap(([user, field]) => {
      const granted = found.get(user);
      return field.allows(granted)
        ? []
        : [`${name} grants ${granted ?? 'nothing'} to ${user} instead of ${field.toString()}`];
    });
  }

  /** One team or space for each tag, however often its creation was sent. */
  async duplicates(what: 'teams' | 'spaces', made: readonly (Team | Space)[]): Promise<string[]> {
    const { name, perhaps } = this.#memory;
    const found = new Map<string, number>();
    for (let page = ''; ;) {
      const next = page === '' ? '' : `&page=${encodeURIComponent(page)}`;
      const list = (await this.#ofOrganization(`${what}?limit=1000${next}`)) as {
        items: { title: string }[];
        next?: { page: string };
      };
      for (const { title } of list.items) {
        const tag = title.split(' ')[0] ?? '';
        if (tag.startsWith(`${name}.`)) found.set(tag, (found.get(tag) ?? 0) + 1);
      }
      if (list.next === undefined) break;
      page = list.next.page;
    }
    const certain = made.filter(({ restsUntil }) => restsUntil !== Infinity);
    const expected = new Map(certain.map(({ tag, deleted }) => [tag, deleted ? 0 : 1]));
    const uncertain = new Set([...perhaps, ...made.map(({ tag }) => tag)]);
    const wrong = [...expected].filter(([tag, count]) => (found.get(tag) ?? 0) !== count);
    const unknown = [...found].filter(([tag, count]) => !expected.has(tag) && !(uncertain.has(tag) && count === 1));
    return [
      ...wrong.map(([tag, count]) => `there are ${found.get(tag) ?? 0} ${what} ${tag} instead of ${count}`),
      ...unknown.map(([tag, count]) => `there are ${count} ${what} ${tag} that nobody was promised`),
    ];
  }

  #ofOrganization(path: string): Promise<unknown> {
    return this.#get(`/v1/orgs/${this.#memory.organization}/${path}`);
  }

  /** The body; undefined for 404. Tries again while nothing answers. */
  readonly #get: Get = async (path) => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const outcome = await this.#caller.call({ method: 'GET', path });
      if (outcome.kind === 'done') return outcome.body;
      if (outcome.kind === 'refused' && outcome.status === 404) return undefined;
      await delay(againMs);
    }
    throw new Error(`No answer to GET ${path}`);
  };
}
