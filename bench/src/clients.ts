import { runClients } from './clients/run.js';
import { runWithCleanup } from './processes/run-with-cleanup.js';

const isWell = await runWithCleanup(async (cleanup) => {
  const { reports, found } = await runClients(cleanup);
  process.stdout.write(`${found.map((one) => `${one}\n`).join('')}`);
  for (const { version, driven, of, answers, meant } of reports)
    process.stdout.write(
      `Client ${version}: ${driven} of ${of} operations driven, ${answers} answers compared, ${meant} differences are meant\n`,
    );
  process.stdout.write(`${found.length} unexplained\n`);
  return found.length === 0;
});
process.exit(isWell ? 0 : 1);
