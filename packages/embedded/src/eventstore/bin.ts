#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { startEventStoreServer } from './server.js';

/** Runs the server alone: `bin.js --port 0 --data DIR [--host 127.0.0.1]`. Prints its URL when it is ready. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '0' }, data: { type: 'string' }, host: { type: 'string', default: '127.0.0.1' } },
  });
  const server = await startEventStoreServer({
    host: values.host,
    port: Number(values.port),
    ...(values.data === undefined ? {} : { dataDir: values.data }),
    logger: (line) => process.stderr.write(`${line}\n`),
  });
  process.stdout.write(`${server.url}\n`);
  const stop = (): void => {
    void server.stop().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
