import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { buildStages } from './build-stages.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const turbo = fileURLToPath(new URL('../../../node_modules/turbo/bin/turbo', import.meta.url));
const packages = new URL('../../../packages', import.meta.url);
const keptOutput = 200_000;

/**
 * Builds what has changed since the last build, where the sources and turbo are there; in an installation that has
 * neither, `dist` is what was installed. A build that fails ends the process with its output.
 */
export async function buildFirst() {
  if (!existsSync(turbo) || !existsSync(new URL('../src', import.meta.url))) return;
  const say = (line) => process.stderr.write(`scriptorium: ${line}\n`);
  const stages = buildStages({ packages: new Set(readdirSync(packages)), say, now: Date.now });
  const reminder = setInterval(() => stages.remind(), stages.remindEveryMs);
  const { code } = await transpile('hash-only', stages.line);
  clearInterval(reminder);
  if (code === 0) return stages.end();
  // With the names of parts alone, turbo keeps errors back. What was built stays so.
  const { output } = await transpile('errors-only', () => undefined);
  process.stderr.write(`${output}scriptorium: the build failed\n`);
  process.exit(1);
}

function transpile(logs, onLine) {
  const args = ['run', 'transpile', '--filter=./apps/*', `--output-logs=${logs}`, '--log-order=stream'];
  return new Promise((resolve) => {
    const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', TURBO_UI: 'false', FORCE_COLOR: '0' };
    const child = spawn(process.execPath, [turbo, ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const kill = () => child.kill();
    process.once('exit', kill);
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-keptOutput);
    };
    child.stdout.on('data', keep);
    createInterface({ input: child.stdout }).on('line', onLine);
    child.stderr.on('data', keep);
    child.once('error', (error) => resolve({ code: 1, output: `${error.message}\n` }));
    child.once('close', (code) => {
      process.off('exit', kill);
      resolve({ code, output });
    });
  });
}
