import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inFull, sized } from '@scriptorium/toolchain/proof';
import { comesTrue, startDispatchRig, type DispatchRig, type Received } from '../test/dispatch-rig.js';

const configurations = { account: { properties: { key: { type: 'string' } } } };
const installationCount = 3;
/** Changes of each installation, each of which is an event. */
const changes = sized(10, 333);
/** After so many events something is killed. */
const between = sized(8, 40);
const withinMs = sized(60_000, 900_000);

/** Replicas of the service and the runtime are killed while scripts get events. */
describe('what is delivered while processes are killed', () => {
  let world: DispatchRig;
  beforeAll(async () => {
    world = await startDispatchRig({}, { isKillable: true });
  }, 120_000);
  afterAll(() => world.stop());

  /** Sends a change until it is made. Made again it is no change, so it is one event. */
  const change = (path: string, key: string): Promise<void> =>
    comesTrue(async () =>
      expect((await world.send('PATCH', path, { configuration: { key } })).body['configuration']).toEqual({ key }),
    );
  /** What tells events of an installation apart: the value before. */
  const before = ({ event }: Received): unknown =>
    (event['previous'] as { configuration?: { key?: string } } | undefined)?.configuration?.key ?? event['status'];

  it(
    'is every event of each installation, in order; what is repeated has the same id',
    async () => {
      const installed = [];
      for (let n = 0; n < installationCount; n += 1) installed.push(await world.begin({ configurations }));
      let kills = 0;
      let isDone = false;
      const killing = (async () => {
        for (let next = between; !isDone; next += between) {
          await comesTrue(() => expect(isDone || world.received.length >= next).toBe(true));
          if (isDone) return;
          await world.kill(kills);
          kills += 1;
        }
      })();
      for (let n = 0; n < changes; n += 1)
        await Promise.all(installed.map(({ path }) => change(path, String(n).padStart(4, '0'))));
      const expected = [
        'active',
        'active',
        ...Array.from({ length: changes - 1 }, (_, n) => String(n).padStart(4, '0')),
      ];
      for (const { id } of installed) await world.told(id, expected.length);
      for (const { name } of installed) await world.settled(name);
      isDone = true;
      await killing;
      for (const { id, name } of installed) {
        const all = world.received.filter(({ event }) => event['installationId'] === id);
        const ids = all.map(({ event }) => event.eventId);
        // A repetition stands right behind what it repeats.
        const told = all.filter((_, n) => ids[n] !== ids[n - 1]);
        expect(told.map(before)).toEqual(expected);
        expect(new Set(ids).size).toBe(expected.length);
        expect((await world.eventsOf(name, '&status=failed')).length).toBe(0);
      }
      expect(kills).toBeGreaterThanOrEqual(inFull ? 20 : 2);
    },
    withinMs,
  );
});
