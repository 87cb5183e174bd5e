import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { repositoryFile } from './processes/paths.js';
import { findProofs, type Proof } from './proof/find-proofs.js';

/** Lines of a failed proof that are shown. */
const shown = 40;
/** Longer than the longest proof takes on a busy machine, ms. One that hangs fails then, and the next one runs. */
const longest = 90 * 60_000;

const wanted = process.argv.slice(2);
const proofs = findProofs().filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
if (proofs.length === 0) {
  const names = findProofs().map(({ name }) => name);
  process.stderr.write(`no proof is named so; there are: ${names.join(', ')}\n`);
  process.exit(1);
}
const logs = await mkdtemp(join(tmpdir(), 'scriptorium-proof-'));
let failed = 0;
for (const proof of proofs) {
  const log = join(logs, `${proof.name.replaceAll(/\W+/g, '-')}.log`);
  const began = performance.now();
  const passed = await succeeds(proof, log);
  const seconds = Math.round((performance.now() - began) / 1000);
  process.stdout.write(`${passed ? 'passed' : 'FAILED'}  ${proof.name}  ${seconds} s${passed ? '' : `  (${log})`}\n`);
  if (passed) continue;
  failed += 1;
  const lines = (await readFile(log, 'utf8')).trimEnd().split('\n');
  process.stdout.write(`${lines.slice(-shown).join('\n')}\n`);
}
process.exit(failed === 0 ? 0 : 1);

/** Runs a proof in full length with its output in a file; whether it passed. */
async function succeeds({ command, within }: Proof, log: string): Promise<boolean> {
  const [program = '', ...args] = command;
  const output = createWriteStream(log);
  await once(output, 'open');
  const child = spawn(program, args, {
    cwd: repositoryFile(within),
    env: { ...process.env, PROOF: 'full' },
    stdio: ['ignore', output, output],
    timeout: longest,
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  output.close();
  return code === 0;
}
