import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StopError } from './stop-error.js';

/** Folder that holds the apps; this one is one of them. */
export const appsFolder = fileURLToPath(new URL('../..', import.meta.url));

const notServices = new Set(['cli', 'gateway']);

/** Services that are installed: every app that can be created within a process, by name. */
export function installedServices(folder: string = appsFolder): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !notServices.has(entry.name))
    .map((entry) => entry.name)
    .filter((name) => existsSync(createScript(name, folder)))
    .sort();
}

/** The services to run: those that were named, or all. @throws StopError naming one that is not installed. */
export function chooseServices(named: readonly string[], installed: readonly string[]): string[] {
  const unknown = named.find((name) => !installed.includes(name));
  if (unknown !== undefined) throw new StopError(`there is no service ${unknown}; installed: ${installed.join(', ')}`);
  return named.length === 0 ? [...installed] : installed.filter((name) => named.includes(name));
}

/** The module that creates an app within a process. */
export function createScript(name: string, folder: string = appsFolder): string {
  return join(folder, name, 'dist', 'create.js');
}

/** The script that runs an app alone. */
export function mainScript(name: string, folder: string = appsFolder): string {
  return join(folder, name, 'dist', 'main.js');
}
