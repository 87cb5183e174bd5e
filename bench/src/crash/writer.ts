import { setTimeout as delay } from 'node:timers/promises';
import { lateMs, type CallRequest, type Caller, type Outcome } from './caller.js';
import type { Field } from './field.js';
import type { Findings } from './findings.js';
import { newTeam, placeOf, type Memory, type Team } from './memory.js';
import type { Random } from './random.js';

export interface WriterParts {
  memory: Memory;
  caller: Caller;
  random: Random;
  findings: Findings;
  stopped: () => boolean;
  /** Whether nothing has been killed so far: then every read shows what was acknowledged before it. */
  steady: () => boolean;
}

const maxTeams = 30;
const roles = ['create', 'edit', 'review', 'comment', 'read'] as const;
const pauseMs = 100;

/** Writes one thing after another until it is stopped, and remembers what it was promised. */
export async function runWriter(parts: WriterParts): Promise<void> {
  const writer = new Writer(parts);
  while (!parts.stopped()) await writer.step();
}

class Writer {
  readonly #parts: WriterParts;
  #keys = 0;
  #tags = 0;
  #revisions = 0;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  async step(): Promise<void> {
    const { random, memory } = this.#parts;
    const free = memory.teams.filter((team) => !team.deleted && team.restsUntil < performance.now());
    const team = free.length === 0 ? undefined : random.pick(free);
    const roll = random.next();
    if (team === undefined || (roll < 0.12 && memory.teams.length < maxTeams)) return this.#createTeam();
    if (roll < 0.5) return this.#rename(team);
    if (roll < 0.72) return this.#place(team);
    if (roll < 0.84) return this.#displace(team);
    if (roll < 0.91) return this.#changeRole();
    if (roll < 0.94) return this.#invite();
    if (roll < 0.98) return this.#leaveOrReturn();
    return memory.teams.length > 3 ? this.#deleteTeam(team) : this.#rename(team);
  }

  async #createTeam(): Promise<void> {
    const { memory } = this.#parts;
    const tag = `${memory.name}.${(this.#tags += 1)}`;
    const members = memory.staying.map(({ id }) => id);
    const title = `${tag} new`;
    const outcome = await this.#settle({ method: 'PUT', path: this.#path('teams'), body: { title, members } });
    if (outcome.kind === 'done') memory.teams.push(newTeam((outcome.body as { id: string }).id, tag, title, members));
    if (outcome.kind === 'unknown') memory.perhaps.add(tag);
  }

  async #rename(team: Team): Promise<void> {
    const title = `${team.tag} r${(this.#revisions += 1)}`;
    await this.#set(team, team.title, title, { method: 'PATCH', path: this.#path('teams', team.id), body: { title } });
    if (this.#parts.steady() || this.#parts.random.chance(0.3)) await this.#readBack(team);
  }

  async #place(team: Team): Promise<void> {
    const { memory, random } = this.#parts;
    const person = random.pick(memory.moving.inside ? [...memory.staying, memory.moving] : memory.staying);
    const role = random.pick(['owner', 'member'] as const);
    await this.#set(team, placeOf(team, person.id), role, {
      method: 'PUT',
      path: this.#path('teams', team.id, 'members', person.id),
      body: { role },
    });
  }

  async #displace(team: Team): Promise<void> {
    const { memory, random } = this.#parts;
    const person = random.pick([...memory.staying, memory.moving]);
    await this.#set(team, placeOf(team, person.id), null, {
      method: 'DELETE',
      path: this.#path('teams', team.id, 'members', person.id),
    });
  }

  async #changeRole(): Promise<void> {
    const { memory, random } = this.#parts;
    const person = random.pick(memory.moving.inside ? [...memory.staying, memory.moving] : memory.staying);
    const role = random.pick(roles);
    const outcome = await this.#settle({ method: 'PATCH', path: this.#path('members', person.id), body: { role } });
    if (outcome.kind === 'done') person.role.settle(role);
    if (outcome.kind === 'unknown') person.role.doubt(role);
  }

  async #invite(): Promise<void> {
    const { memory, random } = this.#parts;
    const invitation = { email: `${memory.name}.${(this.#tags += 1)}@invited.example.org`, role: random.pick(roles) };
    const outcome = await this.#settle({ method: 'POST', path: this.#path('invites'), body: { emails: [invitation] } });
    if (outcome.kind === 'done') memory.invited.push(invitation);
  }

  /** Leaving ends all places in teams; whoever is back has none. */
  async #leaveOrReturn(): Promise<void> {
    const { moving, teams } = this.#parts.memory;
    if (moving.inside) {
      const outcome = await this.#settle({ method: 'DELETE', path: this.#path('members', moving.id) });
      if (outcome.kind !== 'done') return;
      moving.inside = false;
      for (const team of teams) placeOf(team, moving.id).settle(null);
      return;
    }
    const role = this.#parts.random.pick(roles);
    const outcome = await this.#settle({
      method: 'POST',
      path: this.#path('invites'),
      body: { emails: [{ email: moving.email, role }] },
    });
    if (outcome.kind !== 'done') return;
    moving.inside = true;
    moving.role.settle(role);
  }

  async #deleteTeam(team: Team): Promise<void> {
    const outcome = await this.#settle({ method: 'DELETE', path: this.#path('teams', team.id) });
    if (outcome.kind === 'done') team.deleted = true;
  }

  /** Half of these writes go once, without a key; when their outcome is unknown, the team rests until it cannot change any more. */
  async #set<T>(team: Team, field: Field<T>, value: T, request: CallRequest): Promise<void> {
    const outcome = this.#parts.random.chance(0.5) ? await this.#settle(request) : await this.#once(request);
    if (outcome.kind === 'done') return field.settle(value);
    if (outcome.kind !== 'unknown') return;
    field.doubt(value);
    team.restsUntil = performance.now() + lateMs;
  }

  /** Another replica than the one that took the write may answer, in half the cases. */
  async #readBack(team: Team): Promise<void> {
    const { certain } = team.title;
    if (certain === undefined) return;
    const { caller, findings, steady } = this.#parts;
    const outcome = await caller.call({ method: 'GET', path: this.#path('teams', team.id) });
    if (outcome.kind !== 'done' && outcome.kind !== 'refused') return;
    const title = outcome.kind === 'done' ? (outcome.body as { title: string }).title : `(${outcome.status})`;
    const phase = steady() ? 'steady' : 'under kills';
    findings.count(`reads of an own write, ${phase}: ${title === certain.value ? 'fresh' : 'stale'}`);
    if (title !== certain.value && steady())
      findings.report(`${team.tag} was read as ${title} after ${certain.value} was acknowledged, with nothing killed`);
  }

  #settle(request: CallRequest): Promise<Outcome> {
    const key = `${this.#parts.memory.name}-${(this.#keys += 1)}`;
    return this.#counted(this.#parts.caller.settle({ ...request, key }));
  }

  #once(request: CallRequest): Promise<Outcome> {
    return this.#counted(this.#parts.caller.call(request));
  }

  async #counted(running: Promise<Outcome>): Promise<Outcome> {
    const outcome = await running;
    this.#parts.findings.count(`writes ${outcome.kind}`);
    if (outcome.kind !== 'done') await delay(pauseMs);
    return outcome;
  }

  #path(...parts: string[]): string {
    return ['/v1/orgs', this.#parts.memory.organization, ...parts].join('/');
  }
}
