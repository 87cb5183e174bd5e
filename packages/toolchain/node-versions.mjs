// Other versions of Node than the one that runs. The binaries come from the package registry: those that the npm
// package `node` installs by a script, without that script. They are no dependency.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const longestMs = 600_000;

/** The versions that a command names, or `usual` ones; ends the process for what is none. */
export function versionsIn(given, usual) {
  const versions = given.length > 0 ? given : usual;
  const wrong = versions.find((version) => !/^\d+(\.\d+){0,2}$/.test(version));
  if (wrong === undefined) return versions;
  console.log(`${wrong} is no version of Node, such as 22 or 24.8.0`);
  process.exit(1);
}

/**
 * Does something with a version of Node, which is there meanwhile: `node` is its program, `bin` the folder of that,
 * `exact` its whole version, `folder` a temporary one. Answers what that does, and false when it cannot be installed.
 */
export async function withNode(version, work) {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-node-'));
  try {
    const name = `node-${process.platform}-${process.arch}`;
    const install = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    const installed = await run('npm', ['--prefix', folder, ...install, `${name}@${version}`], { cwd: folder });
    const bin = join(folder, 'node_modules', name, 'bin');
    const node = join(bin, 'node');
    if (installed.code !== 0 || !existsSync(node)) {
      console.log(`NOT OK Node ${version}: ${name}@${version} could not be installed\n${installed.output}`);
      return false;
    }
    const exact = (await run(node, ['--version'], { cwd: folder })).output.trim();
    return await work({ node, bin, exact, folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a program to its end, or for ten minutes. */
export function run(program, args, options) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], timeout: longestMs });
    const kept = keptOutput(child);
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code, output: kept() }));
  });
}

/** The end of what a program prints. */
export function keptOutput(child) {
  let output = '';
  const keep = (chunk) => (output = (output + chunk).slice(-20_000));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return () => output;
}
