import { existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ConfigError } from '@scriptorium/platform/config';
import { claimFolder } from './format.js';

/** An opened data folder and where things stand in it. */
export interface DataFolder {
  path: string;
  secretKeys: string;
  serverPasswords: string;
  firstRun: string;
  run: string;
  /** How to give orders to the running embedded servers. */
  servers: string;
  format: string;
  /** Whether the last owner ended without giving it back. */
  unclean: boolean;
  release(): Promise<void>;
}

/** Where things stand in a data folder. */
export function filesOf(folder: string): Omit<DataFolder, 'unclean' | 'release'> {
  const path = resolve(folder);
  return {
    path,
    secretKeys: join(path, 'secret-keys'),
    serverPasswords: join(path, 'server-passwords'),
    firstRun: join(path, 'first-run.json'),
    run: join(path, 'run.json'),
    servers: join(path, 'servers.json'),
    format: join(path, 'format.json'),
  };
}

/**
 * Opens the data folder for this process alone; creates it, closed to everybody else.
 * @throws ConfigError when it cannot be made, StopError when it belongs to another process or a newer version.
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

/** Makes a folder and those above it, one by one: Node's own recursive form never ends where a file system refuses all names. */
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
