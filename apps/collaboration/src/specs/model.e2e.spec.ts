import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sized } from '@scriptorium/toolchain/proof';
import * as fc from 'fast-check';
import { projectionsOf } from '@scriptorium/platform';
import { collaboration } from '../service.js';
import { command, executed } from '../test/model/command.js';
import { compare } from '../test/model/compare.js';
import { levels, type Model, type Name, type Real } from '../test/model/model.js';
import { requestCommands } from '../test/model/request.commands.js';
import { insertion } from '../test/model/write.commands.js';
import { startRig, type Person, type Rig } from '../test/own-rig.js';

/** The number of commands in total. A complete run has 10,000. */
const wanted = Number(process.env['MODEL_COMMANDS'] ?? sized(50, 150));
const seed = Number(process.env['SEED']);
/** The most commands in one history. */
const longest = 75;
const perCommandMs = 500;
/** Longer than any history takes. After a failure, a shorter failing history is searched for until then. */
const shrunkWithinMs = 120_000;

/** What is shown is also compared within a history, since later commands may hide an error. */
const comparison = command('compare', ({ model, real }) => compare(model, real));

const total = (): number => [...executed.values()].reduce((sum, count) => sum + count, 0);

describe('change requests', () => {
  let rig: Rig;
  let people: Record<Name, Person>;
  beforeAll(async () => {
    rig = await startRig();
    await Promise.all([rig.replica('collaboration'), rig.replica('content')]);
    const members = Object.entries(levels).map(async ([name, level]) => [name, await rig.member(name, level)] as const);
    people = { ...Object.fromEntries(await Promise.all(members)), owner: rig.owner } as Record<Name, Person>;
  }, 60_000);
  afterAll(() => rig.stop());

  /** A space with one page for each history. */
  const begin = async (): Promise<{ model: Model; real: Real }> => {
    const body = { editMode: 'live', empty: true };
    const made = await rig.send('POST', `/orgs/${rig.organization}/spaces`, { body });
    const path = `/spaces/${String(made.body['id'])}`;
    const { change, after } = insertion({ title: 'Title', texts: ['First', 'Second'] });
    const first = await rig.send('POST', `${path}/content`, { body: { changes: [change] } });
    const main = { pages: after(new Map(), first), revision: String(first.body['revision']) };
    const model: Model = { path, main, requests: [], rules: [], isDeleted: false, words: 0 };
    return { model, real: { rig, people, log: [] } };
  };

  const histories = fc.asyncProperty(
    fc.commands([...requestCommands, comparison], { maxCommands: longest, size: 'max' }),
    async (commands) => {
      const { model, real } = await begin();
      await fc.asyncModelRun(() => ({ model, real }), commands);
      await compare(model, real);
    },
  );

  it(
    `agree with a simple model in random histories of ${wanted} commands (SEED=${seed})`,
    async () => {
      for (let round = 0; total() < wanted; round += 1)
        await fc.assert(histories, { seed: seed + round, numRuns: 1, interruptAfterTimeLimit: shrunkWithinMs });
      expect(executed.size).toBeGreaterThan(10);
      for (const one of ['collaboration', 'content'])
        expect((await rig.send('GET', `/operator/${one}/parked-events`)).body['count']).toBe(0);
    },
    2 * shrunkWithinMs + wanted * perCommandMs,
  );

  it.each(projectionsOf(collaboration).map(({ collection }) => collection))(
    'are the same in %s after a rebuild from the log',
    async (collection) => {
      const rebuild = () => rig.send('POST', `/operator/collaboration/projections/${collection}/rebuild`);
      const first = await rebuild();
      // A machine that stands still for some seconds loses the claim of a rebuild: it is asked for again.
      const { status, body } = first.status === 409 ? await rebuild() : first;
      expect([status, body['equal']]).toEqual([200, true]);
    },
    120_000,
  );
});
