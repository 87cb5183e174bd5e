import type { CommandContext } from '../command-line/context.js';
import { filesOf } from '../installation/data-folder.js';
import { portsInUse, readKeptPorts } from '../installation/kept-ports.js';
import { readRunFile, type RunFile } from '../installation/run-file.js';
import type { StartSettings } from '../settings.js';
import { StopError } from '../stop-error.js';
import { lineOf, passed, type Check } from './check.js';
import { folderChecks, nodeCheck, portsCheck } from './machine-checks.js';
import { keysCheck, settingsCheck } from './settings-checks.js';
import { storeChecks } from './store-checks.js';

/**
 * `scriptorium doctor`: checks this machine, its settings, and the servers of the installation.
 * @throws StopError at the end when a check has failed
 */
export async function doctorCommand({ environment, answer }: CommandContext): Promise<void> {
  const { check, settings } = await settingsCheck(environment);
  const checks = [nodeCheck(process.versions.node), check, ...(settings === undefined ? [] : await checksOf(settings))];
  for (const one of checks) answer(one, lineOf(one));
  const count = checks.filter(({ ok }) => !ok).length;
  if (count > 0) throw new StopError(count === 1 ? 'one check has failed' : `${count} checks have failed`);
}

async function checksOf(settings: StartSettings): Promise<Check[]> {
  const { path, secretKeys, ports, run: file } = filesOf(settings.DATA_DIR);
  const run = await readRunFile(file).catch(() => undefined);
  const namespace = run?.environment['NAMESPACE'] ?? settings.NAMESPACE;
  return [
    passed('namespace', namespace),
    await keysCheck(settings.SECRET_KEYS, secretKeys),
    ...(await folderChecks(path)),
    await portsCheck({ ...settings, ...portsInUse(settings, await readKeptPorts(ports)) }, run),
    ...(await storeChecks(addressesOf(settings, run), namespace)),
  ];
}

/** Of a running installation, the embedded servers can be asked, too. */
function addressesOf({ EVENTSTORE_URL, MONGODB_URL, NATS_URL }: StartSettings, run: RunFile | undefined) {
  const { environment: of = {} } = run ?? {};
  return {
    EVENTSTORE_URL: of['EVENTSTORE_URL'] ?? EVENTSTORE_URL,
    MONGODB_URL: of['MONGODB_URL'] ?? MONGODB_URL,
    NATS_URL: of['NATS_URL'] ?? NATS_URL,
  };
}
