#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { authenticationOfEnvironment } from '../authentication.js';
import { reportLines } from '../checking/finding.js';
import { startEventStoreServer } from './server.js';
import { verifyEventStore } from './verify.js';

const HOUR_MS = 3_600_000;

/**
 * Runs the server alone: `bin.js --port 0 --data DIR [--host 127.0.0.1] [--scavenge-hours 24]`. Prints its URL when it
 * is ready, with the credentials: those of SERVER_USER and SERVER_PASSWORD, or random ones. `bin.js --verify --data
 * DIR` checks a folder instead that no server uses, and ends with 0 when it is sound.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      data: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      'scavenge-hours': { type: 'string', default: '0' },
      verify: { type: 'boolean', default: false },
    },
  });
  if (values.verify) return verify(values.data);
  const auth = authenticationOfEnvironment();
  const server = await startEventStoreServer({
    host: values.host,
    ...(auth === undefined ? {} : { auth }),
    port: Number(values.port),
    scavengeEveryMs: Number(values['scavenge-hours']) * HOUR_MS,
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

async function verify(data: string | undefined): Promise<void> {
  if (data === undefined) throw new Error('--verify needs --data');
  const report = await verifyEventStore(data);
  process.stdout.write(`${reportLines(data, report).join('\n')}\n`);
  process.exitCode = report.findings.length === 0 ? 0 : 1;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
