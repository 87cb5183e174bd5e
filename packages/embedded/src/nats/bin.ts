#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { authenticationOfEnvironment } from '../authentication.js';
import { startNatsServer } from './server.js';

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '4222' },
  },
});
const auth = authenticationOfEnvironment();

const server = await startNatsServer({
  host: values.host,
  port: Number(values.port),
  ...(auth === undefined ? {} : { auth }),
  logger: (line) => process.stderr.write(`${line}\n`),
});
process.stdout.write(`${server.url}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.stop());
