import { runClients } from './clients/run.js';
import { Cleanup } from './processes/cleanup.js';

const cleanup = new Cleanup();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanup.run().then(() => process.exit(130)));
}
let failed = true;
try {
  const { reports, found } = await runClients(cleanup);
  failed = found.length > 0;
  process.stdout.write(`${found.map((one) => `${one}\n`).join('')}`);
  for (const { version, driven, of, answers, meant } of reports)
    process.stdout.write(
      `Client ${version}: ${driven} of ${of} operations driven, ${answers} answers compared, ${meant} differences are meant\n`,
    );
  process.stdout.write(`${found.length} unexplained\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
} finally {
  await cleanup.run();
}
process.exit(failed ? 1 : 0);
