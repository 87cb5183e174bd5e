import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runCrash } from './crash/run.js';
import { Cleanup } from './processes/cleanup.js';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    writes: { type: 'string', default: '20000' },
    pause: { type: 'string', default: '2000' },
  },
});
const seed = Number(process.env['SEED'] ?? randomInt(1, 2 ** 31));
const say = (text: string) => void process.stderr.write(`${text}\n`);
const cleanup = new Cleanup();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanup.run().then(() => process.exit(130)));
}
let failed = true;
try {
  const { found, counts } = await runCrash({
    seed, kills: Number(values.kills), writes: Number(values.writes), pauseMs: Number(values.pause),
    steadyWrites: Math.min(2_000, Number(values.writes)), writers: 50, replicas: 2, patienceMs: 900_000, say,
  }, cleanup);
  failed = found.length > 0;
  process.stdout.write(`${JSON.stringify({ seed, found, counts }, null, 2)}\n`);
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  await cleanup.run();
}
say(failed ? `FAILED with SEED=${seed}` : `nothing lost, nothing different (SEED=${seed})`);
process.exit(failed ? 1 : 0);
