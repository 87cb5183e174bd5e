import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '@scriptorium/event-sourcing';
import type { App, ServiceConfig } from '@scriptorium/platform';
import { startInstallation, type InstallationOptions } from './installation.js';
import { clientOf, type Rig } from './rig.js';
import { startServers } from './servers.js';
import { openStore } from './store.js';

/** An installation in the process of the spec, with servers of its own, unless the environment names them. */
export interface OwnRig extends Rig {
  replica(service?: string): Promise<App>;
  config: ServiceConfig & { DATA_DIR: string };
  /** The port at which integrations answer. */
  endpointsPort: number;
  /** The folder of everything that was started here. */
  folder: string;
  /**
   * Another store on the log and the read models of the first service: for what a process wrote that died right after.
   * Runs nothing.
   */
  store: Store;
  /** Removes deleted events and documents from disk, of servers that were started here. */
  scavenge(): Promise<unknown>;
  /** `look`: at the data folder, when everything has stopped, before it is removed. */
  stop(look?: (folder: string) => Promise<void>): Promise<void>;
}

/**
 * Starts everything, servers that the environment does not name in a folder of their own. What was started is stopped
 * when something cannot be.
 */
export async function startOwnRig(options: InstallationOptions): Promise<OwnRig> {
  const folder = await mkdtemp(join(tmpdir(), `${options.services[0].name}-`));
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async (look?: (folder: string) => Promise<void>): Promise<void> => {
    const [remove, ...others] = ends;
    for (const end of others.toReversed()) await end();
    await look?.(folder);
    await remove?.();
  };
  try {
    return { ...(await start(options, folder, ends)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  options: InstallationOptions,
  folder: string,
  ends: (() => Promise<unknown>)[],
): Promise<Omit<OwnRig, 'stop'>> {
  const servers = await startServers(folder);
  ends.push(() => servers.stop());
  const { first, ...installation } = await startInstallation(options, {
    servers: servers.urls,
    isShared: servers.isShared,
    folder,
    ends,
  });
  const store = openStore(installation.config, options.services[0].name);
  ends.push(() => store.stop());
  return {
    ...first,
    ...clientOf(installation.endpoint, first),
    ...installation,
    folder,
    store,
    scavenge: () => servers.scavenge(),
  };
}
