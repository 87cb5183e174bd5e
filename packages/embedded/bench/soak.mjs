import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/*
 * The long forms of the specs about trust, one after the other: `npm run soak -w packages/embedded
 * [kills|damage|hostile]`. Each prints the seed that it took; SEED=<number> repeats a run. Build first: the kills are
 * of the built servers.
 */
const lanes = {
  kills: { CRASH_ROUNDS: '200', specs: ['eventstore/crash', 'mongodb/durability'] },
  damage: { DAMAGE_CASES: '500', specs: ['eventstore/storage/damage', 'mongodb/damage'] },
  hostile: { HOSTILE_FRAMES: '100000', specs: ['eventstore/hostile', 'mongodb/hostile', 'nats/fuzz'] },
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !Object.hasOwn(lanes, name));
if (unknown !== undefined) {
  process.stderr.write(`there is no lane ${unknown}; there are ${Object.keys(lanes).join(', ')}\n`);
  process.exit(1);
}

const jest = fileURLToPath(new URL('../../../node_modules/jest/bin/jest.js', import.meta.url));
const cwd = fileURLToPath(new URL('..', import.meta.url));
for (const [name, { specs, ...environment }] of Object.entries(lanes)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stdout.write(`${name}: ${JSON.stringify(environment)}\n`);
  const args = ['--experimental-vm-modules', '--no-warnings', jest, '--runInBand', '--verbose', ...specs];
  const { status } = spawnSync(process.execPath, args, {
    cwd,
    stdio: 'inherit',
    env: { SEED: String(Date.now() % 2 ** 31), ...process.env, ...environment },
  });
  if (status !== 0) process.exit(status ?? 1);
}
