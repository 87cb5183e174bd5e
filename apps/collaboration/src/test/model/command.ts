import * as fc from 'fast-check';
import type { Answer } from '../rig.js';
import { levels, send, type Model, type ModelRequest, type Name, type Real } from './model.js';

const number = fc.nat({ max: 10_000 });

/** Random numbers that select people and parts of the model when the command runs. */
const Picks = fc.record({ who: number, request: number, part: number, some: number });
type Picks = typeof Picks extends fc.Arbitrary<infer P> ? P : never;

/** What the random numbers of a command select. */
export interface Turn extends Pick<Picks, 'part' | 'some'> {
  model: Model;
  real: Real;
  who: Name;
}

export type TurnOfRequest = Turn & { request: ModelRequest };

/** How many commands have run, by name. */
export const executed = new Map<string, number>();

const names: readonly Name[] = ['owner', ...(Object.keys(levels) as Name[])];
/** Most commands are of those who may do something. */
const often: readonly Name[] = ['ann', 'bob', 'rev', 'owner'];

/** A command that changes the model and the product, and compares their answers. */
export function command(
  name: string,
  act: (turn: Turn) => Promise<void>,
  applies: (model: Model) => boolean = () => true,
): fc.Arbitrary<fc.AsyncCommand<Model, Real>> {
  return Picks.map((picks) => ({
    check: (model) => applies(model),
    async run(model, real) {
      executed.set(name, (executed.get(name) ?? 0) + 1);
      const who = pick(picks.who % 3 === 0 ? names : often, picks.who);
      try {
        await act({ ...picks, model, real, who });
      } catch (error) {
        throw new Error(`${name}: ${String(error)}\nafter\n${real.log.join('\n')}`, { cause: error });
      }
    },
    toString: () => `${name}(${JSON.stringify(picks)})`,
  }));
}

/** A command about a change request. */
export function onRequest(
  name: string,
  act: (turn: TurnOfRequest) => Promise<void>,
  applies: (request: ModelRequest) => boolean = () => true,
): fc.Arbitrary<fc.AsyncCommand<Model, Real>> {
  const those = ({ requests }: Model) => requests.filter(applies);
  return command(
    name,
    (turn) => act({ ...turn, request: pick(those(turn.model), turn.some >> 3) }),
    (model) => those(model).length > 0,
  );
}

/** Selects one by a number. There has to be one. */
export function pick<T>(from: Iterable<T>, by: number): T {
  const all = [...from];
  return all[by % all.length] as T;
}

/** A list with the same command several times, so that it is chosen more often. */
export function repeat<T>(times: number, what: T): T[] {
  return Array.from({ length: times }, () => what);
}

/** A word that nothing else has. */
export function newWord(model: Model): string {
  model.words += 1;
  return `word${model.words}`;
}

/**
 * Sends a request that must have this status, unless the space is deleted: then nobody writes, and those who are no
 * admins do not see it. `undefined` unless it was done.
 */
export async function attempt(
  { model, real, who }: Turn,
  request: { method: string; path: string; body?: object },
  status: number,
): Promise<Answer | undefined> {
  const answer = await send(real, who, request);
  const expected = model.isDeleted ? [404] : [status];
  if (!expected.includes(answer.status))
    throw new Error(`${answer.status} instead of ${expected.join(' or ')}: ${JSON.stringify(answer.body)}`);
  return answer.status < 300 ? answer : undefined;
}
