import { parseArgs } from 'node:util';
import { runRolling } from './crash/run-rolling.js';
import { seededRun } from './seeded-run.js';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, every: { type: 'string', default: '2000' } },
});
await seededRun('no read failed, nothing lost, nothing twice', ({ seed, say, cleanup }) =>
  runRolling(
    { seed, seconds: Number(values.seconds), everyMs: Number(values.every), writers: 20, readers: 10, say },
    cleanup,
  ),
);
