import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The variables that name a server; what is run gets only those that it is given. */
const SERVERS = [
  'CONFORMANCE_EVENTSTORE_URL',
  'CONFORMANCE_MONGODB_URL',
  'CONFORMANCE_NATS_URL',
  'EVENTSTORE_URL',
  'MONGODB_URL',
  'NATS_URL',
];

const LONGEST_MS = 1_800_000;

/**
 * Runs specs of a workspace and prints one line for all of them, and whatever nobody expected.
 * `servers`: variables that name servers, and others that the specs heed. `leftOut` and `differences`: pairs of a
 * regular expression for full names of specs and a reason: why they make no sense on this server, or pass on it only by
 * luck; and why it answers otherwise. A difference of which all specs pass is a stale entry and fails the run, too.
 * `patience`: how many times as long as usual specs may take; then they run one file after another.
 * @returns whether everything went as expected
 */
export async function runSpecs({ what, workspace, pattern, servers = {}, leftOut = [], differences = [], patience }) {
  const report = await jest(workspace, pattern, { servers, leftOut: leftOut.map(([name]) => name), patience }).catch(
    (error) => console.log(String(error)),
  );
  if (report === undefined) {
    console.log(`NOT OK ${what}: no report`);
    return false;
  }
  const specs = report.testResults.flatMap((file) => file.assertionResults);
  for (const [name, why] of leftOut) {
    const count = specs.filter((spec) => name.test(spec.fullName)).length;
    if (count > 0) console.log(`  left out: ${count} of ${String(name)}: ${why}`);
  }
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const failed = specs.filter((spec) => spec.status === 'failed');
  const reasonFor = (spec) => differences.find(([name]) => name.test(spec.fullName))?.[1];
  const unexpected = failed.filter((spec) => reasonFor(spec) === undefined);
  const passed = specs.filter((spec) => spec.status === 'passed').length;
  const stale = differences.filter(([name]) => !failed.some((spec) => name.test(spec.fullName)));
  const known = failed.length - unexpected.length;
  for (const file of broken) console.log(`  ${file.name}\n${file.message}`);
  for (const spec of unexpected) console.log(`  FAILED ${spec.fullName}\n${spec.failureMessages.join('\n')}`);
  for (const [name] of stale) console.log(`  NO LONGER DIFFERENT ${String(name)}`);
  for (const [name, why] of differences)
    console.log(
      `  different as listed: ${failed.filter((spec) => name.test(spec.fullName)).length} of ${String(name)}: ${why}`,
    );
  const well = passed > 0 && broken.length + unexpected.length + stale.length === 0;
  console.log(
    `${well ? 'ok' : 'NOT OK'} ${what}: ${passed} passed, ${known} different as listed, ${unexpected.length + broken.length} failed`,
  );
  return well;
}

async function jest(workspace, pattern, { servers, leftOut, patience }) {
  const folder = await mkdtemp(join(tmpdir(), 'specs-'));
  const output = join(folder, 'report.json');
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !SERVERS.includes(name))),
    ...(patience === undefined ? {} : { PATIENCE: String(patience) }),
    ...servers,
  };
  // One expression for all: jest takes no list of names to leave out.
  const others =
    leftOut.length === 0
      ? []
      : ['--testNamePattern', `^(?!${leftOut.map(({ source }) => source.replace(/^\^/, '')).join('|')})`];
  const slowly =
    patience === undefined
      ? []
      : ['--maxWorkers', '1', '--env', fileURLToPath(new URL('patient-environment.mjs', import.meta.url))];
  const child = spawn(
    process.execPath,
    // Forced to exit: what a failed spec leaves open must not keep the next suite waiting.
    [
      '--experimental-vm-modules',
      '--no-warnings',
      join(ROOT, 'node_modules/jest/bin/jest.js'),
      '--json',
      '--outputFile',
      output,
      '--testPathPatterns',
      pattern,
      '--forceExit',
      ...others,
      ...slowly,
    ],
    { cwd: join(ROOT, workspace), env, stdio: ['ignore', 'ignore', 'pipe'], timeout: LONGEST_MS },
  );
  const said = [];
  child.stderr.on('data', (data) => said.push(data));
  try {
    const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
    const text = await readFile(output, 'utf8').catch(() => undefined);
    if (text === undefined)
      throw new Error(
        `jest ended with ${code} and made no report, which it must within ${LONGEST_MS / 60_000} minutes:\n${Buffer.concat(said)}`,
      );
    return JSON.parse(text);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
