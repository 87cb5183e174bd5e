// Records a data folder for `src/start/upgrade.e2e.spec.ts`: starts the product of a checkout on an empty folder, sends
// it a representative set of requests, stops it, and keeps the folder and the answers of GET requests.
//
//   node apps/cli/scripts/record-data-folder.mjs <checkout of the version to record> <target folder>
//
// Run it with a built checkout (`npx turbo run transpile`) of the last release before formats, events or read models
// change.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, constants } from 'node:zlib';
import { readAnswers, writeAll } from './recorded-requests.mjs';

const [checkout, target] = process.argv.slice(2).map((path) => resolve(path));
if (target === undefined) throw new Error('usage: record-data-folder.mjs <checkout> <target folder>');

/** 32 bytes that everybody can read: this keyring protects nothing and is used nowhere else. */
const testKey = Buffer.from('throw-away test key, no secret!!').toString('base64');

/** Of the stores while they are open; made again at each start. */
const lockFiles = /^(index\.lmdb-lock|lock\.mdb)$/;

const data = mkdtempSync(join(tmpdir(), 'record-'));
try {
  writeFileSync(join(data, 'secret-keys'), `k1:${testKey},reservation:${testKey}\n`, { mode: 0o600 });
  const product = await start();
  let recorded;
  try {
    const { token, user, organization } = JSON.parse(readFileSync(join(data, 'first-run.json'), 'utf8'));
    const world = await writeAll({ endpoint: product.address, token, admin: user.id, organization: organization.id });
    // Reactors finish what requests began: wait until nothing changes any more.
    for (let before; ; await delay(2_000)) {
      recorded = { ...world, answers: await readAnswers(product.address, world) };
      const now = JSON.stringify(recorded);
      if (now === before) break;
      before = now;
    }
  } finally {
    await product.stop();
  }
  keep(recorded);
} finally {
  rmSync(data, { recursive: true, force: true });
}

async function start() {
  const child = spawn(process.execPath, [join(checkout, 'apps/cli/bin/scriptorium.js'), 'start'], {
    cwd: checkout,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: data,
      PORT: '0',
      // What answers contain of the installation's address must not change from start to start.
      PUBLIC_URL: 'http://docs.example',
      RATE_LIMIT: '0',
      RATE_LIMIT_ANONYMOUS: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let banner = '';
  const ended = new Promise((resolve) => void child.once('exit', resolve));
  const address = await new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      banner += text;
      const found = /Address +(http:\S+)\/v1/.exec(banner)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error('the product ended before it was ready')));
  });
  return {
    address,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/**
 * Writes every file of the data folder by itself, compressed: preallocated zeros need no space, and a change of one
 * shows.
 */
function keep(recorded) {
  rmSync(target, { recursive: true, force: true });
  let bytes = 0;
  for (const entry of readdirSync(data, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || lockFiles.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const to = join(target, 'folder', `${path.slice(data.length + 1)}.br`);
    const packed = brotliCompressSync(readFileSync(path), {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY, [constants.BROTLI_PARAM_LGWIN]: 24 },
    });
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, packed);
    bytes += packed.length;
  }
  const { answers, ...world } = recorded;
  const lines = answers.map((answer) => `    ${JSON.stringify(answer)}`).join(',\n');
  writeFileSync(
    join(target, 'recorded.json'),
    `{\n  "world": ${JSON.stringify(world)},\n  "answers": [\n${lines}\n  ]\n}\n`,
  );
  process.stdout.write(`${target}: ${bytes} bytes of data, ${recorded.answers.length} answers\n`);
}
