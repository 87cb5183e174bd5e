import { parseArgs } from 'node:util';
import { authenticationOfEnvironment } from '../authentication.js';
import { reportLines } from '../checking/finding.js';
import { startMongoServer } from './server.js';
import { verifyMongo } from './verify.js';

const HOUR_MS = 3_600_000;

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '0' },
    data: { type: 'string' },
    'compact-hours': { type: 'string', default: '0' },
    verify: { type: 'boolean', default: false },
  },
});

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** `--verify --data DIR` checks a folder that no server uses, and ends with 0 when it is sound. */
function verify(data: string | undefined): void {
  if (data === undefined) throw new Error('--verify needs --data');
  const report = verifyMongo(data);
  for (const line of reportLines(data, report)) say(line);
  process.exitCode = report.findings.length === 0 ? 0 : 1;
}

async function serve({ host, port, data, 'compact-hours': hours }: typeof values): Promise<void> {
  const auth = authenticationOfEnvironment();
  const server = await startMongoServer({
    host,
    port: Number(port),
    ...(auth === undefined ? {} : { auth }),
    compactEveryMs: Number(hours) * HOUR_MS,
    ...(data === undefined ? {} : { dataDir: data }),
  });
  say(server.url);
  const stop = (): void => void server.stop().then(() => process.exit(0));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

try {
  if (values.verify) verify(values.data);
  else await serve(values);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
