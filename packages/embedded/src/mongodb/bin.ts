import { parseArgs } from 'node:util';
import { startMongoServer } from './server.js';

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '0' },
    data: { type: 'string' },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  const { host, port, data } = values;
  const server = await startMongoServer({ host, port: Number(port), ...(data === undefined ? {} : { dataDir: data }) });
  say(server.url);
  const stop = (): void => void server.stop().then(() => process.exit(0));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
