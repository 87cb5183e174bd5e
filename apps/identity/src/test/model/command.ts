import { memberRoles, teamRoles, type TeamRole } from '@scriptorium/contracts';
import * as fc from 'fast-check';
import type { Person } from '../rig.js';
import { pick, type Model, type ModelOrganization, type Real, type Role } from './model.js';

const number = fc.nat({ max: 10_000 });

/** Random numbers that select people, organizations and other parts of the model when the command runs. */
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

/** The parts of the model that the random numbers of a command select. */
export interface ModelInput extends Pick<Picks, 'part' | 'some' | 'role' | 'teamRole'> {
  model: Model;
  actor: Person;
  other: Person;
  /** Any person. */
  stranger: Person;
  organization: ModelOrganization;
}

/** The same, with the product. */
export interface CommandInput extends ModelInput {
  real: Real;
}

/** How many commands have run, by name. */
export const executed = new Map<string, number>();

/** A list with the same command several times, so that it is chosen more often. */
export function repeat<T>(times: number, what: T): T[] {
  return Array.from({ length: times }, () => what);
}

/** A command that changes the model and the product, and compares their answers. */
export function command(
  name: string,
  act: (turn: CommandInput) => Promise<void>,
  applies: (turn: ModelInput) => boolean = () => true,
): fc.Arbitrary<fc.AsyncCommand<Model, Real>> {
  return Picks.map((picks) => ({
    check(model) {
      const turn = inputOf(picks, model);
      return turn !== undefined && applies(turn);
    },
    async run(model, real) {
      const turn = inputOf(picks, model);
      if (turn === undefined) return;
      executed.set(name, (executed.get(name) ?? 0) + 1);
      await act({ ...turn, real });
    },
    toString: () => `${name}(${JSON.stringify(picks)})`,
  }));
}

/** In three of four cases an admin acts on a member. Otherwise most commands would be refused. */
function inputOf(picks: Picks, model: Model): ModelInput | undefined {
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
