import { existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ConfigError } from '@scriptorium/platform/config';
import { claimFolder } from './format.js';

/** An opened data folder and the paths in it. */
export interface DataFolder {
  path: string;
  secretKeys: string;
  serverPasswords: string;
  firstRun: string;
  /** The file with the ports that the first start chose. */
  ports: string;
  run: string;
  /** The file with the address for orders to the running embedded servers. */
  servers: string;
  format: string;
  /** Whether the last owner ended without releasing the folder. */
  unclean: boolean;
  release(): Promise<void>;
}

/** The paths in a data folder. */
export function filesOf(folder: string): Omit<DataFolder, 'unclean' | 'release'> {
  const path = resolve(folder);
  return {
    path,
    secretKeys: join(path, 'secret-keys'),
    serverPasswords: join(path, 'server-passwords'),
    firstRun: join(path, 'first-run.json'),
    ports: join(path, 'ports.json'),
    run: join(path, 'run.json'),
    servers: join(path, 'servers.json'),
    format: join(path, 'format.json'),
  };
}

/**
 * Opens the data folder for this process only. It is created if it does not exist, and other users of the machine
 * cannot read it.
 * @throws ConfigError when it cannot be created; StopError when another process uses it, or a newer version wrote it
 */
export async function openDataFolder(folder: string, version: string): Promise<DataFolder> {
  const files = filesOf(folder);
  try {
    await makeFolder(files.path);
    await chmod(files.path, 0o700);
  } catch (error) {
    throw new ConfigError(`DATA_DIR: ${(error as Error).message}`);
  }
  return { ...files, ...(await claimFolder(files.path, version)) };
}

/**
 * Creates a folder and its parents one by one. Node's recursive option never ends if a file system refuses all names.
 */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path || existsSync(dirname(path))) throw error;
    await makeFolder(dirname(path));
    await mkdir(path, { mode: 0o700 });
  }
}
