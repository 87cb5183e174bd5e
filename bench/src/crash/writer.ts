import { createRequestWriter } from './request-writer.js';
import { createSpaceWriter } from './space-writer.js';
import { grantOf, newTeam, placeOf, type Team } from './memory.js';
import { createSender, type Sender, type WriterParts } from './sender.js';

const maxTeams = 30;
const roles = ['create', 'edit', 'review', 'comment', 'read'] as const;

/**
 * Writes one thing after another until it is stopped, and remembers what it was promised: teams and members, spaces,
 * and change requests.
 */
export async function runWriter(parts: WriterParts): Promise<void> {
  const sender = createSender(parts);
  const writer = new Writer(parts, sender);
  const spaces = createSpaceWriter(parts, sender);
  const requests = parts.changeRequests === true ? createRequestWriter(parts, sender) : undefined;
  while (!parts.stopped()) {
    const roll = parts.random.next();
    if (requests !== undefined && roll < 0.3) await requests.step();
    else if (roll < 0.6) await spaces.step();
    else await writer.step();
  }
}

class Writer {
  readonly #parts: WriterParts;
  readonly #sender: Sender;
  #revisions = 0;

  constructor(parts: WriterParts, sender: Sender) {
    this.#parts = parts;
    this.#sender = sender;
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
    const tag = this.#sender.newTag();
    const members = memory.staying.map(({ id }) => id);
    const title = `${tag} new`;
    const outcome = await this.#sender.settle({ method: 'PUT', path: this.#path('teams'), body: { title, members } });
    if (outcome.kind === 'done') memory.teams.push(newTeam((outcome.body as { id: string }).id, tag, title, members));
    if (outcome.kind === 'unknown') memory.perhaps.add(tag);
  }

  async #rename(team: Team): Promise<void> {
    const title = `${team.tag} r${(this.#revisions += 1)}`;
    await this.#sender.set(team, team.title, title, {
      method: 'PATCH',
      path: this.#path('teams', team.id),
      body: { title },
    });
    if (this.#parts.steady() || this.#parts.random.chance(0.3))
      await this.#sender.readBack(team, this.#path('teams', team.id));
  }

  async #place(team: Team): Promise<void> {
    const { memory, random } = this.#parts;
    const person = random.pick(memory.moving.inside ? [...memory.staying, memory.moving] : memory.staying);
    const role = random.pick(['owner', 'member'] as const);
    await this.#sender.set(team, placeOf(team, person.id), role, {
      method: 'PUT',
      path: this.#path('teams', team.id, 'members', person.id),
      body: { role },
    });
  }

  async #displace(team: Team): Promise<void> {
    const { memory, random } = this.#parts;
    const person = random.pick([...memory.staying, memory.moving]);
    await this.#sender.set(team, placeOf(team, person.id), null, {
      method: 'DELETE',
      path: this.#path('teams', team.id, 'members', person.id),
    });
  }

  async #changeRole(): Promise<void> {
    const { memory, random } = this.#parts;
    const person = random.pick(memory.moving.inside ? [...memory.staying, memory.moving] : memory.staying);
    const role = random.pick(roles);
    const outcome = await this.#sender.settle({
      method: 'PATCH',
      path: this.#path('members', person.id),
      body: { role },
    });
    if (outcome.kind === 'done') person.role.settle(role);
    if (outcome.kind === 'unknown') person.role.doubt(role);
  }

  async #invite(): Promise<void> {
    const { memory, random } = this.#parts;
    const invitation = { email: `${this.#sender.newTag()}@invited.example.org`, role: random.pick(roles) };
    const outcome = await this.#sender.settle({
      method: 'POST',
      path: this.#path('invites'),
      body: { emails: [invitation] },
    });
    if (outcome.kind === 'done') memory.invited.push(invitation);
  }

  /** Leaving ends all places in teams and all grants; whoever is back has none. */
  async #leaveOrReturn(): Promise<void> {
    const { moving, teams, spaces } = this.#parts.memory;
    if (moving.inside) {
      const outcome = await this.#sender.settle({ method: 'DELETE', path: this.#path('members', moving.id) });
      if (outcome.kind !== 'done') return;
      moving.inside = false;
      for (const team of teams) placeOf(team, moving.id).settle(null);
      for (const space of spaces) grantOf(space, moving.id).settle(undefined);
      return;
    }
    const role = this.#parts.random.pick(roles);
    const outcome = await this.#sender.settle({
      method: 'POST',
      path: this.#path('invites'),
      body: { emails: [{ email: moving.email, role }] },
    });
    if (outcome.kind !== 'done') return;
    moving.inside = true;
    moving.role.settle(role);
  }

  async #deleteTeam(team: Team): Promise<void> {
    const outcome = await this.#sender.settle({ method: 'DELETE', path: this.#path('teams', team.id) });
    if (outcome.kind === 'done') team.deleted = true;
  }

  #path(...parts: string[]): string {
    return ['/v1/orgs', this.#parts.memory.organization, ...parts].join('/');
  }
}
