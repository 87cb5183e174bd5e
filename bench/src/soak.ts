import { parseArgs } from 'node:util';
import { runCrash } from './crash/run.js';
import { seededRun } from './seeded-run.js';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    writes: { type: 'string', default: '20000' },
    pause: { type: 'string', default: '2000' },
    'change-requests': { type: 'boolean', default: false },
  },
});
await seededRun('nothing lost, nothing different', ({ seed, say, cleanup }) =>
  runCrash(
    {
      seed,
      kills: Number(values.kills),
      writes: Number(values.writes),
      pauseMs: Number(values.pause),
      steadyWrites: Math.min(2_000, Number(values.writes)),
      writers: 50,
      replicas: 2,
      changeRequests: values['change-requests'],
      patienceMs: 900_000,
      say,
    },
    cleanup,
  ),
);
