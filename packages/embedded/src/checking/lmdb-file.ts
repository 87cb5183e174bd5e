import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { type MetaPage, PAGE_HEAD, readMeta } from './lmdb-page.js';

/** An lmdb file opened for reading page by page, without lmdb: bytes that are wrong can then do no harm. */
export class LmdbFile {
  private constructor(
    readonly path: string,
    private readonly fd: number,
    readonly bytes: number,
    /** the newer one */
    readonly meta: MetaPage,
  ) {}

  /** @returns the file, or where it is wrong and how */
  static open(path: string): LmdbFile | { readonly offset: number; readonly what: string } {
    const fd = openSync(path, 'r');
    const bytes = fstatSync(fd).size;
    const found = newestMeta(fd);
    if (!('what' in found)) {
      const needed = (found.lastPage + 1) * found.pageSize;
      if (bytes >= needed) return new LmdbFile(path, fd, bytes, found);
      closeSync(fd);
      return { offset: bytes, what: `the file ends here and should have ${String(needed)} bytes` };
    }
    closeSync(fd);
    return found;
  }

  offsetOf(page: number): number {
    return page * this.meta.pageSize;
  }

  isPage(page: number): boolean {
    return page >= 2 && page <= this.meta.lastPage;
  }

  /** `count` pages from `page` on, in bytes of their own. */
  read(page: number, count = 1): Buffer {
    const bytes = Buffer.allocUnsafe(count * this.meta.pageSize);
    const got = readSync(this.fd, bytes, 0, bytes.length, this.offsetOf(page));
    return bytes.subarray(0, got);
  }

  close(): void {
    closeSync(this.fd);
  }
}

function newestMeta(fd: number): MetaPage | { readonly offset: number; readonly what: string } {
  const first = readMeta(head(fd, 0));
  if (first === undefined) return { offset: 0, what: 'the first meta page is damaged' };
  const second = readMeta(head(fd, first.pageSize));
  if (second?.pageSize !== first.pageSize) return { offset: first.pageSize, what: 'the second meta page is damaged' };
  const [older, newer] = first.transaction < second.transaction ? [first, second] : [second, first];
  // Each transaction is noted in the place of the one before the last; a new file and a copy have one alone.
  if (older.transaction !== 0 && newer.transaction !== older.transaction + 1)
    return { offset: 0, what: 'the meta pages do not belong together' };
  const chosen = choose(first, second);
  // A third one, in the middle of the first page, is written when everything it names is on disk.
  const synced = readMeta(
    Buffer.concat([head(fd, 0).subarray(0, PAGE_HEAD), head(fd, first.pageSize / 2).subarray(PAGE_HEAD)]),
  );
  if (synced !== undefined && synced.transaction > newer.transaction)
    return { offset: first.pageSize / 2, what: 'the third meta page is ahead of the others' };
  return synced === undefined ? chosen : choose(chosen, synced);
}

/**
 * Which of two lmdb begins with: the newer one, unless the machine went down behind it before all of it was on disk.
 */
function choose(a: MetaPage, b: MetaPage): MetaPage {
  if (b.transaction === 0) return a;
  const newer = b.transaction > a.transaction ? b : a;
  if (!newer.isAhead || (newer.boot !== 0n && newer.boot === currentBoot())) return newer;
  return newer === a ? b : a;
}

/** The number of this boot as lmdb has it; 0 where the system does not say. */
function currentBoot(): bigint {
  try {
    return BigInt(`0x${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').split('-')[0] ?? '0'}`);
  } catch {
    return 0n;
  }
}

function head(fd: number, at: number): Buffer {
  const bytes = Buffer.alloc(256);
  return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, at));
}
