import { parseArgs } from 'node:util';
import { fuzz } from './fuzz/run.js';
import { startProduct } from './product/product.js';
import { seededRun } from './seeded-run.js';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '50000' }, 'at-once': { type: 'string', default: '16' } },
});
await seededRun('every answer is as documented', async ({ seed, say, cleanup }) =>
  fuzz(await startProduct(cleanup), {
    seed,
    requests: Number(values.requests),
    atOnce: Number(values['at-once']),
    say,
  }),
);
