import { memberRoles, teamRoles, type TeamRole } from '@scriptorium/contracts';
import * as fc from 'fast-check';
import type { Person } from '../rig.js';
import { pick, type Model, type ModelOrganization, type Real, type Role } from './world.js';

const number = fc.nat({ max: 10_000 });

/** What a command is about: numbers that pick from what the model has when its turn comes. */
const Picks = fc.record({
  actor: number,
  other: number,
  organization: number,
  part: number,
  some: number,
  role: fc.constantFrom<Role>(null, ...memberRoles),
  teamRole: fc.constantFrom<TeamRole | undefined>(undefined, ...teamRoles),
});
type Picks = typeof Picks extends fc.Arbitrary<infer P> ? P : never;

/** Who does it, where, and what else the numbers mean. */
export interface Turn extends Pick<Picks, 'part' | 'some' | 'role' | 'teamRole'> {
  model: Model;
  real: Real;
  actor: Person;
  other: Person;
  /** Anybody. */
  stranger: Person;
  organization: ModelOrganization;
}

/** Executed so far, by name. */
export const executed = new Map<string, number>();

/** So often in a row of commands. */
export function often<T>(times: number, what: T): T[] {
  return Array.from({ length: times }, () => what);
}

/** A command of the model: does the same to the model and to the product, and compares what the product answers. */
export function command(
  name: string,
  act: (turn: Turn) => Promise<void>,
  applies: (turn: Turn) => boolean = () => true,
): fc.Arbitrary<fc.AsyncCommand<Model, Real>> {
  return Picks.map((picks) => ({
    check(model) {
      const turn = turnOf(picks, model);
      return turn !== undefined && applies({ ...turn, real: undefined as never });
    },
    async run(model, real) {
      const turn = turnOf(picks, model);
      if (turn === undefined) return;
      executed.set(name, (executed.get(name) ?? 0) + 1);
      await act({ ...turn, real });
    },
    toString: () => `${name}(${JSON.stringify(picks)})`,
  }));
}

/** Three times of four it is an admin who does it, to a member: else most of what happens would be refusals. */
function turnOf(picks: Picks, model: Model): Omit<Turn, 'real'> | undefined {
  const organization = pick(model.organizations.values(), picks.organization);
  const members = organization === undefined ? [] : [...organization.members.keys()];
  const admins = members.filter((user) => organization?.members.get(user) === 'admin');
  const among = (few: readonly string[], number: number) =>
    pick(number % 4 === 0 ? model.people.keys() : few, number >> 2);
  const actor = model.people.get(String(among(admins, picks.actor)));
  const other = model.people.get(String(among(members, picks.other)));
  const stranger = pick(model.people.values(), picks.some);
  if (actor === undefined || other === undefined || stranger === undefined || organization === undefined)
    return undefined;
  return { ...picks, model, actor, other, stranger, organization };
}
