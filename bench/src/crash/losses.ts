import { setTimeout as delay } from 'node:timers/promises';
import type { Caller } from './caller.js';
import type { Memory, Person, Place, Team } from './memory.js';

const againMs = 200;
const attempts = 50;

/** What a writer was promised and cannot read, in words. */
export async function lossesOf(memory: Memory, caller: Caller): Promise<string[]> {
  const reader = new Reader(memory, caller);
  const perTeam = await Promise.all(
    memory.teams.map((team) => (team.deleted ? reader.deleted(team) : reader.team(team))),
  );
  const perPerson = await Promise.all([...memory.staying, memory.moving].map((person) => reader.person(person)));
  return [...perTeam.flat(), ...perPerson.flat(), ...(await reader.duplicates())];
}

class Reader {
  readonly #memory: Memory;
  readonly #caller: Caller;

  constructor(memory: Memory, caller: Caller) {
    this.#memory = memory;
    this.#caller = caller;
  }

  async team(team: Team): Promise<string[]> {
    const found = (await this.#get(`teams/${team.id}`)) as { title: string; members: number } | undefined;
    if (found === undefined) return [`team ${team.tag} (${team.id}) is lost`];
    const list = (await this.#get(`teams/${team.id}/members?limit=1000`)) as {
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
    return (await this.#get(`teams/${team.id}`)) === undefined ? [] : [`team ${team.tag} (${team.id}) is back`];
  }

  async person({ id, role, inside }: Person): Promise<string[]> {
    const found = (await this.#get(`members/${id}`)) as { role: never } | undefined;
    if (!inside) return found === undefined ? [] : [`${id} is a member again`];
    if (found === undefined) return [`${id} is no member any more`];
    return role.allows(found.role) ? [] : [`${id} has role ${String(found.role)} instead of ${role.toString()}`];
  }

  /** One team for each tag, however often its creation was sent. */
  async duplicates(): Promise<string[]> {
    const { name, teams, perhaps } = this.#memory;
    const found = new Map<string, number>();
    for (let page = ''; ;) {
      const list = (await this.#get(`teams?limit=1000${page === '' ? '' : `&page=${encodeURIComponent(page)}`}`)) as {
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
    const expected = new Map(teams.map((team) => [team.tag, team.deleted ? 0 : 1]));
    const wrong = [...expected].filter(([tag, count]) => (found.get(tag) ?? 0) !== count);
    const unknown = [...found].filter(([tag, count]) => !expected.has(tag) && !(perhaps.has(tag) && count === 1));
    return [
      ...wrong.map(([tag, count]) => `there are ${found.get(tag) ?? 0} teams ${tag} instead of ${count}`),
      ...unknown.map(([tag, count]) => `there are ${count} teams ${tag} that nobody was promised`),
    ];
  }

  /** The body; undefined for 404. Tries again while nothing answers. */
  async #get(path: string): Promise<unknown> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const outcome = await this.#caller.call({ method: 'GET', path: `/v1/orgs/${this.#memory.organization}/${path}` });
      if (outcome.kind === 'done') return outcome.body;
      if (outcome.kind === 'refused' && outcome.status === 404) return undefined;
      await delay(againMs);
    }
    throw new Error(`No answer to GET ${path}`);
  }
}
