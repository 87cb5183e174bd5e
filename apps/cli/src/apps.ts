import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as z from 'zod';
import { StopError } from './stop-error.js';

/** The folder of the apps, including this one. */
export const appsFolder = fileURLToPath(new URL('../..', import.meta.url));

const notServices = new Set(['cli', 'gateway', 'reader', 'runtime']);

/** The installed services by name: every app that can be created within a process. */
export function installedServices(folder: string = appsFolder): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !notServices.has(entry.name))
    .map((entry) => entry.name)
    .filter((name) => existsSync(createScript(name, folder)))
    .sort();
}

/**
 * The services to run: the named ones, or all.
 * @throws StopError naming one that is not installed
 */
export function chooseServices(named: readonly string[], installed: readonly string[]): string[] {
  const unknown = named.find((name) => !installed.includes(name));
  if (unknown !== undefined) throw new StopError(`there is no service ${unknown}; installed: ${installed.join(', ')}`);
  return named.length === 0 ? [...installed] : installed.filter((name) => named.includes(name));
}

/** The module that creates an app within a process. */
export function createScript(name: string, folder: string = appsFolder): string {
  return join(folder, name, 'dist', 'create.js');
}

type ServiceSettings = Readonly<Record<string, z.ZodType>>;

/**
 * The settings of a service, by name. Their module is small, so that a start can check them before it loads the
 * service.
 */
export async function settingsOf(name: string, folder: string = appsFolder): Promise<ServiceSettings> {
  const script = pathToFileURL(join(folder, name, 'dist', 'settings.js')).href;
  return ((await import(script)) as { settings: ServiceSettings }).settings;
}

/** The script that runs an app in a process of its own. */
export function mainScript(name: string, folder: string = appsFolder): string {
  return join(folder, name, 'dist', 'main.js');
}
