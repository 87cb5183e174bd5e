import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz/run.js';
import { Cleanup } from './processes/cleanup.js';
import { startProduct } from './product/product.js';

const { values } = parseArgs({ options: { requests: { type: 'string', default: '50000' }, 'at-once': { type: 'string', default: '16' } } });
const seed = Number(process.env['SEED'] ?? randomInt(1, 2 ** 31));
const say = (text: string) => void process.stderr.write(`${text}\n`);
const cleanup = new Cleanup();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanup.run().then(() => process.exit(130)));
}
let failed = true;
try {
  say(`SEED=${seed}: starting the product`);
  const result = await fuzz(await startProduct(cleanup), { seed, requests: Number(values.requests), atOnce: Number(values['at-once']), say });
  failed = result.found.length > 0;
  process.stdout.write(`${JSON.stringify({ seed, ...result }, null, 2)}\n`);
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  await cleanup.run();
}
say(failed ? `FAILED with SEED=${seed}` : `every answer is as documented (SEED=${seed})`);
process.exit(failed ? 1 : 0);
