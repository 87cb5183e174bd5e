import { statSync } from 'node:fs';

/** Whether a path is a folder or may become one: it is no file, and lies below none. */
export function canBeFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOTDIR';
  }
}
