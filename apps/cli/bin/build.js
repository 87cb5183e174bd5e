import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const turbo = fileURLToPath(new URL('../../../node_modules/turbo/bin/turbo', import.meta.url));
const keptOutput = 200_000;

/**
 * Builds what has changed since the last build, where the sources and turbo are there; in an installation that has
 * neither, `dist` is what was installed. A build that fails ends the process with its output.
 */
export async function buildFirst() {
  if (!existsSync(turbo) || !existsSync(new URL('../src', import.meta.url))) return;
  const started = Date.now();
  const progress = setInterval(() => {
    process.stderr.write(`scriptorium: building (${Math.round((Date.now() - started) / 1000)} s)\n`);
  }, 2_000);
  const { code, output } = await run(['run', 'transpile', '--filter=./apps/*', '--output-logs=errors-only']);
  clearInterval(progress);
  if (code === 0) return;
  process.stderr.write(`${output}scriptorium: the build failed\n`);
  process.exit(1);
}

function run(args) {
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
    child.stderr.on('data', keep);
    child.once('error', (error) => resolve({ code: 1, output: `${error.message}\n` }));
    child.once('close', (code) => {
      process.off('exit', kill);
      resolve({ code, output });
    });
  });
}
