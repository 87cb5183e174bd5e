import { describe, expect, it } from '@jest/globals';
import { createConsumers } from '../leases/consumers.js';
import { maintenanceTask } from './maintenance.js';
import { silentLogger } from '../process/observe.js';
import { type OpenClaim, openClaims } from '../reservations/open-claims.js';
import { createReservations } from '../reservations/reservations.js';
import { eventually } from '../test/servers.js';
import { useWorld } from '../test/use-world.js';
import { systemClock } from '../process/time.js';

const { world } = useWorld();

describe('claims that were left open', () => {
  it('are settled in their turn although more than one round of claims before them cannot be', async () => {
    const { database } = world.open({});
    const ids = Array.from({ length: 510 }, (_, n) => String(n).padStart(4, '0'));
    const claims = ids.map((_id): OpenClaim => ({ _id, kind: 'name', owner: 'o', since: '2020-01-01T00:00:00.000Z' }));
    await database.collection<OpenClaim>(openClaims.collection).insertMany(claims.toReversed());
    const tried: string[] = [];
    const unused = () => Promise.reject(new Error('not asked for'));
    const reservations = {
      keyOf: () => '',
      reserve: unused,
      giveUp: unused,
      release: unused,
      repair: ({ _id }: OpenClaim) => Promise.resolve(void tried.push(_id)),
    };
    const task = maintenanceTask({
      db: database,
      consumers: createConsumers(database),
      projections: [openClaims],
      reservations,
      clock: systemClock,
      logger: silentLogger,
    });
    const running = task.run({ name: 'maintenance', epoch: 1 }, () => true);
    await eventually(() => tried.length >= ids.length, 20_000);
    expect(tried.slice(0, ids.length)).toEqual(ids);
    await running.stop();
  });

  it('are logged once when their kind is not declared', async () => {
    const warned: unknown[] = [];
    const unused = () => Promise.reject(new Error('not asked for'));
    const logger = { ...silentLogger, warn: (fields: object) => void warned.push(fields) };
    const reservations = createReservations({
      service: 'identity',
      secret: new Uint8Array(32),
      kinds: [],
      clock: systemClock,
      logger,
      repairScope: () => {
        throw new Error('not asked for');
      },
      load: unused,
    });
    for (const kind of ['old', 'older', 'old']) await reservations.repair({ _id: 'k', kind, owner: 'o', since: '' });
    expect(warned).toEqual([{ kind: 'old' }, { kind: 'older' }]);
  });
});
