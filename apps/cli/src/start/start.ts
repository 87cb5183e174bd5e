import { portProblem } from '@scriptorium/embedded/free-port';
import { installedServices, chooseServices } from '../apps.js';
import { openDataFolder, type DataFolder } from '../installation/data-folder.js';
import { keepPorts, portsInUse, readKeptPorts } from '../installation/kept-ports.js';
import { removeRunFile } from '../installation/run-file.js';
import { serverPasswords } from '../installation/server-passwords.js';
import { readStartSettings, type StartSettings } from '../settings.js';
import { StopError } from '../stop-error.js';
import { createOutput, type Output } from '../supervisor/output.js';
import { version } from '../version.js';
import { bringUp } from './bring-up.js';
import { settleAddresses } from './environment.js';
import { createInstallation } from './installation.js';
import { processNames } from './plan.js';
import { refuseBadSettings } from './bad-settings.js';

export interface StartOptions {
  /** The services to run; all installed ones if empty. */
  services: readonly string[];
  isolated: boolean;
  environment: NodeJS.ProcessEnv;
  /** Resolves when the installation is to end. */
  ended: Promise<string>;
}

/** The ports of the gateway. */
const ports = ['PORT', 'CONTENT_PORT', 'INTEGRATIONS_PORT'] as const;
const stopWithinMs = 4_800;
const orphansMs = 6_000;

/**
 * `scriptorium start`: runs an installation on this machine until `ended`.
 * @throws ConfigError for an invalid setting; StopError when the data folder is in use or a process cannot be started
 */
export async function start({ services: named, isolated, environment, ended }: StartOptions): Promise<void> {
  const given = readStartSettings(environment);
  const services = chooseServices(named, installedServices());
  await refuseBadSettings(environment, services);
  const output = terminalOutput(given);
  const folder = await openDataFolder(given.DATA_DIR, version);
  try {
    const kept = await readKeptPorts(folder.ports);
    const settings = { ...given, ...portsInUse(given, kept) };
    for (const name of ports) await refuseTakenPort(settings, { name, isSet: given[name] !== undefined }, folder);
    // A start that was killed leaves its run file, which would tell the gateway that this start is complete.
    await removeRunFile(folder.run);
    const passwords = await serverPasswords(folder.serverPasswords);
    const addresses = await settleAddresses(settings, processNames(services, isolated), passwords);
    const chosen = { CONTENT_PORT: addresses.files.port, INTEGRATIONS_PORT: addresses.endpoints.port };
    await keepPorts(folder.ports, { settings: given, kept, chosen });
    const installation = await createInstallation({
      settings,
      services,
      isolated,
      addresses,
      folder,
      environment,
      output,
    });
    const aborter = new AbortController();
    try {
      const running = bringUp(installation, aborter.signal).then(() => ended);
      const why = await Promise.race([ended, installation.supervisor.failed, running]);
      output.info(`${why}: stopping`);
    } finally {
      aborter.abort();
      await installation.stop(stopWithinMs);
    }
  } finally {
    await removeRunFile(folder.run);
    await folder.release();
  }
  output.info('stopped');
}

function terminalOutput(settings: StartSettings): Output {
  const { LOG_FORMAT: format } = settings;
  const readable = format === 'pretty' || (format === 'auto' && process.stderr.isTTY);
  return createOutput({ write: (text) => void process.stderr.write(text), readable });
}

/**
 * Reports immediately that the port is in use. After a crash that can happen for a moment, until orphaned processes
 * have ended.
 */
async function refuseTakenPort(
  { HOST, ...settings }: StartSettings,
  { name, isSet }: { name: (typeof ports)[number]; isSet: boolean },
  folder: DataFolder,
): Promise<void> {
  const port = settings[name] ?? 0;
  if (port === 0) return;
  const end = performance.now() + (folder.unclean ? orphansMs : 0);
  for (;;) {
    const problem = await portProblem(HOST, port);
    if (problem === undefined) return;
    if (problem !== 'EADDRINUSE') throw new StopError(`HOST, ${name}: cannot listen on ${HOST}:${port} (${problem})`);
    if (performance.now() >= end) throw new StopError(takenPort(name, `${port} on ${HOST}`, isSet));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function takenPort(name: string, port: string, isSet: boolean): string {
  if (isSet) return `${name}: ${port} is in use by another program`;
  return `${name}: ${port}, which the first start chose, is in use by another program; end that one, or set ${name}`;
}
