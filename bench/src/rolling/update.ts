import { parseArgs } from 'node:util';
import { seededRun } from '../seeded-run.js';
import { runUpdate } from './run-update.js';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '2' }, replicas: { type: 'string', default: '2' } },
});
await seededRun('no request failed, nothing lost, nothing twice', ({ seed, say, cleanup }) =>
  runUpdate(
    { seed, rounds: Number(values.rounds), replicas: Number(values.replicas), writers: 10, readers: 5, say },
    cleanup,
  ),
);
