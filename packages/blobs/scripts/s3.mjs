// Runs the specs of the S3 adapter on a real server: that of BLOBS_S3_URL (`http://key:secret@host:port`), or each of MinIO and moto
// that is on the PATH, started on a free port of loopback. Arguments go to jest.
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const WORKSPACE = fileURLToPath(new URL('../', import.meta.url));
const JEST = fileURLToPath(new URL('../../../node_modules/jest/bin/jest.js', import.meta.url));
const START_MS = 60_000;
const KEY = 'specs';
const SECRET = 'specs-of-blobs';

const SERVERS = [
  {
    name: 'minio',
    how: '`go install github.com/minio/minio@latest`',
    args: (port, folder) => ['server', folder, '--address', `127.0.0.1:${port}`, '--quiet'],
    ready: '/minio/health/ready',
  },
  {
    name: 'moto_server',
    how: "`pip install 'moto[server,s3]'`",
    args: (port) => ['-H', '127.0.0.1', '-p', String(port)],
    ready: '/moto-api/',
  },
];

const given = process.env['BLOBS_S3_URL'] ?? '';
process.exitCode = (given === '' ? await onEachServer() : await runSpecs(given)) ? 0 : 1;

function runSpecs(url) {
  const args = ['--experimental-vm-modules', '--no-warnings', JEST, 'src/s3', ...process.argv.slice(2)];
  const env = { ...process.env, BLOBS_S3_URL: url };
  const child = spawn(process.execPath, args, { cwd: WORKSPACE, stdio: 'inherit', env });
  return new Promise((resolve, reject) => child.on('error', reject).on('close', (code) => resolve(code === 0)));
}

async function onEachServer() {
  const found = SERVERS.map((server) => ({ ...server, file: onPath(server.name) }));
  let passed = found.some(({ file }) => file !== undefined);
  for (const server of found)
    if (server.file === undefined) console.log(`left out: ${server.name} is not on the PATH (${server.how})`);
    else passed = (await onServer(server)) && passed;
  return passed;
}

async function onServer({ name, file, args, ready }) {
  const folder = await mkdtemp(join(tmpdir(), 's3-'));
  const port = await freePort();
  const env = { ...process.env, MINIO_ROOT_USER: KEY, MINIO_ROOT_PASSWORD: SECRET };
  const child = spawn(file, args(port, folder), { stdio: ['ignore', 'ignore', 'pipe'], env, cwd: folder });
  const gone = new Promise((resolve) => child.once('error', resolve).once('close', resolve));
  let said = '';
  child.stderr.on('data', (data) => (said = (said + String(data)).slice(-4_096)));
  try {
    const answers = await Promise.race([untilAnswers(`http://127.0.0.1:${port}${ready}`), gone.then(() => false)]);
    if (!answers) throw new Error(`${name} did not start:\n${said}`);
    console.log(`specs on ${name}`);
    return await runSpecs(`http://${KEY}:${SECRET}@127.0.0.1:${port}`);
  } finally {
    child.kill('SIGKILL');
    await gone;
    await rm(folder, { recursive: true, force: true });
  }
}

async function untilAnswers(url) {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
    if (answer?.ok) return true;
    await delay(100);
  }
  return false;
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function onPath(name) {
  const files = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
