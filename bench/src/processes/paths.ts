import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('../../../', import.meta.url);

/** A file of this repository by its path from the top. */
export function repositoryFile(path: string): string {
  return fileURLToPath(new URL(path, root));
}

/** A program of the search path; undefined when it is not there. */
export function findProgram(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...folders, '/usr/sbin'].map((folder) => join(folder, name)).find((path) => existsSync(path));
}
