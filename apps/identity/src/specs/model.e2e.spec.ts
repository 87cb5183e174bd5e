import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sized } from '@scriptorium/toolchain/proof';
import * as fc from 'fast-check';
import { projectionsOf } from '@scriptorium/platform';
import { identity } from '../service.js';
import { command, executed } from '../test/model/command.js';
import { compare } from '../test/model/compare.js';
import { createModelOrganization, organizationCommands } from '../test/model/organization.commands.js';
import { peopleCommands } from '../test/model/people.commands.js';
import { observedRig, type Model, type Real } from '../test/model/model.js';
import { startRig, type Rig } from '../test/own-rig.js';

/** The number of commands in total. A complete run has 10,000. */
const wanted = Number(process.env['MODEL_COMMANDS'] ?? sized(100, 300));
const seed = Number(process.env['SEED']);
/** The most commands in one sequence. */
const longest = 150;
const perCommandMs = 250;
/** Longer than any sequence takes. After a failure, a shorter failing sequence is searched for until then. */
const shrunkWithinMs = 120_000;

/** Read models are also compared within a sequence, since later commands may hide an error. */
const comparison = command('compare', ({ model, real }) => compare(model, real));

const total = (): number => [...executed.values()].reduce((sum, count) => sum + count, 0);

describe('organizations, members, teams and invitations', () => {
  let rig: Rig;
  let runs = 0;
  beforeAll(async () => {
    rig = await startRig();
    await rig.replica();
  }, 60_000);
  afterAll(() => rig.stop());

  /** Creates people and organizations for each sequence. Those of other sequences are ignored. */
  const begin = async (): Promise<{ model: Model; real: Real }> => {
    runs += 1;
    const model: Model = { people: new Map(), organizations: new Map(), removedIds: [] };
    const real: Real = {
      rig: observedRig(model, rig),
      addresses: Array.from({ length: 12 }, (_, i) => `model.${runs}.${i}@example.org`),
    };
    for (const i of [0, 1, 2, 3]) {
      const email = String(real.addresses[i]);
      const { body } = await rig.send('POST', '/users', {
        body: { email, displayName: `Founder ${i}`, emailVerified: true },
      });
      const id = String(body['id']);
      const made = await rig.send('POST', `/users/${id}/tokens`, { body: { label: 'model' } });
      model.people.set(id, { id, email, token: String(made.body['token']) });
    }
    for (const founder of [...model.people.values()].slice(0, 2))
      await createModelOrganization(model, real, founder, `Founded by ${founder.id}`);
    return { model, real };
  };

  const sequence = fc.asyncProperty(
    fc.commands([...peopleCommands, ...organizationCommands, comparison], { maxCommands: longest, size: 'max' }),
    async (commands) => {
      const { model, real } = await begin();
      await fc.asyncModelRun(() => ({ model, real }), commands);
      await compare(model, real);
    },
  );

  it(
    `agree with a simple model after each of ${wanted} commands, and in every read model at the end (SEED=${seed})`,
    async () => {
      for (let round = 0; total() < wanted; round += 1)
        await fc.assert(sequence, { seed: seed + round, numRuns: 1, interruptAfterTimeLimit: shrunkWithinMs });
      expect(executed.size).toBeGreaterThan(sized(10, 15));
      expect((await rig.send('GET', '/operator/identity/parked-events')).body['count']).toBe(0);
    },
    2 * shrunkWithinMs + wanted * perCommandMs,
  );

  it.each(projectionsOf(identity).map(({ collection }) => collection))(
    'are the same in %s after a rebuild from the log',
    async (collection) => {
      const rebuild = () => rig.send('POST', `/operator/identity/projections/${collection}/rebuild`);
      const first = await rebuild();
      // A machine that stands still for some seconds loses the claim of a rebuild: it is asked for again.
      const { status, body } = first.status === 409 ? await rebuild() : first;
      expect([status, body['equal']]).toEqual([200, true]);
    },
    120_000,
  );
});
