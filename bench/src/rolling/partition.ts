import { parseArgs } from 'node:util';
import { seededRun } from '../seeded-run.js';
import { runPartition } from './run-partition.js';

const { values } = parseArgs({
  options: {
    service: { type: 'string', default: 'content' },
    seconds: { type: 'string', default: '30' },
    replicas: { type: 'string', default: '1' },
  },
});
await seededRun('every request was answered, and everything works again', ({ say, cleanup }) =>
  runPartition(
    {
      service: values.service,
      servers: ['nats', 'mongodb', 'eventstore'],
      awayMs: Number(values.seconds) * 1000,
      replicas: Number(values.replicas),
      say,
    },
    cleanup,
  ),
);
