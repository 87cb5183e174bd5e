// Starts the built product on the oldest version of Node that it supports and on newer ones, asks it for its health and
// for one resource, and stops it. Run by `npm run test:starts`, which takes versions as arguments.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { keptOutput, versionsIn, withNode } from './node-versions.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const command = join(root, 'apps/cli/bin/scriptorium.js');
const [startMs, stopMs, askMs] = [120_000, 30_000, 10_000];

const versions = versionsIn(process.argv.slice(2), ['20.19', '22', '24']);
// All at once: most of a start is waiting.
const results = await Promise.all(versions.map((version) => withNode(version, startOn)));
process.exit(results.every(Boolean) ? 0 : 1);

async function startOn({ node, bin, exact, folder }) {
  const began = performance.now();
  const data = join(folder, 'data');
  const env = {
    ...process.env,
    PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
    DATA_DIR: data,
    PORT: '0',
  };
  const child = spawn(node, [command, 'start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = keptOutput(child);
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(code ?? signal));
  });
  let problem = await asked(data, ended).catch((error) => String(error));
  child.kill('SIGINT');
  const code = await Promise.race([ended, delay(stopMs, 'still running', { ref: false })]);
  if (code === 'still running') child.kill('SIGKILL');
  if (problem === undefined && code !== 0) problem = `it ended with ${code}`;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${problem === undefined ? 'ok' : 'NOT OK'} Node ${exact}: start, requests, stop (${seconds} s)`);
  if (problem !== undefined) console.log(`${problem}\n${printed()}`);
  return problem === undefined;
}

/** What is wrong with the answers of the product; `undefined` when all is well. */
async function asked(data, ended) {
  const first = await Promise.race([firstRun(data), ended.then((code) => `it ended with ${code} before it was ready`)]);
  if (typeof first === 'string') return first;
  const { endpoint, token } = first;
  for (const path of ['/healthz', '/v1/user']) {
    const headers = { authorization: `Bearer ${token}` };
    const { status } = await fetch(endpoint + path, { headers, signal: AbortSignal.timeout(askMs) });
    if (status !== 200) return `${path} is answered with ${status}`;
  }
  return undefined;
}

/** The address and the first token of an installation, once it is ready. */
async function firstRun(data) {
  const until = performance.now() + startMs;
  while (performance.now() < until) {
    try {
      return JSON.parse(await readFile(join(data, 'first-run.json'), 'utf8'));
    } catch {
      await delay(100);
    }
  }
  return 'it is not ready in time';
}
