import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runRolling } from './crash/run-rolling.js';
import { Cleanup } from './processes/cleanup.js';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, every: { type: 'string', default: '2000' } } });
const seed = Number(process.env['SEED'] ?? randomInt(1, 2 ** 31));
const say = (text: string) => void process.stderr.write(`${text}\n`);
const cleanup = new Cleanup();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanup.run().then(() => process.exit(130)));
}
let failed = true;
try {
  const { found, counts } = await runRolling({ seed, seconds: Number(values.seconds), everyMs: Number(values.every), writers: 20, readers: 10, say }, cleanup);
  failed = found.length > 0;
  process.stdout.write(`${JSON.stringify({ seed, found, counts }, null, 2)}\n`);
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  await cleanup.run();
}
say(failed ? `FAILED with SEED=${seed}` : `no read failed, nothing lost, nothing twice (SEED=${seed})`);
process.exit(failed ? 1 : 0);
