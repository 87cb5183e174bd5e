import { closeSync, existsSync, openSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs';

const META = 24;
const MAGIC = 0xbeefc0de;
const PAGE_SIZE_AT = META + 24;
const LAST_PAGE_AT = META + 120;

/**
 * Removes an index that must not be opened: the database maps its file into memory and trusts it, so a
 * file cut short would end the process. Checks the two meta pages, and whether the last start got through.
 */
export function dropUnsoundIndex(path: string): void {
  if (existsSync(marker(path)) || (existsSync(path) && !looksSound(path))) removeIndex(path);
}

export function removeIndex(path: string): void {
  for (const suffix of ['', '-lock']) rmSync(path + suffix, { force: true });
}

/** Notes that a start uses the index. Should the process die of it, the next start builds a new one. */
export function beginStart(path: string): void {
  writeFileSync(marker(path), String(process.pid));
}

export function endStart(path: string): void {
  rmSync(marker(path), { force: true });
}

function marker(path: string): string {
  return `${path}.starting`;
}

function looksSound(path: string): boolean {
  const { size } = statSync(path);
  if (size === 0) return true;
  const fd = openSync(path, 'r');
  try {
    const first = readMeta(fd, 0);
    const second = first === undefined ? undefined : readMeta(fd, first.pageSize);
    return first !== undefined && second !== undefined && size >= Math.max(first.bytes, second.bytes);
  } finally {
    closeSync(fd);
  }
}

/** The page size, and how many bytes of the file the database uses according to one meta page. */
function readMeta(fd: number, at: number): { pageSize: number; bytes: number } | undefined {
  const page = Buffer.alloc(256);
  if (readSync(fd, page, 0, page.length, at) < page.length || page.readUInt32LE(META) !== MAGIC) return undefined;
  const pageSize = page.readUInt32LE(PAGE_SIZE_AT);
  if (pageSize < 512 || pageSize > 65_536) return undefined;
  return { pageSize, bytes: (Number(page.readBigUInt64LE(LAST_PAGE_AT)) + 1) * pageSize };
}
