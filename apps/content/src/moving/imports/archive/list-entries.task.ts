import { AppError, importBounds } from '@scriptorium/contracts';
import { fromRandomAccessReader, RandomAccessReader, type Entry as ZipEntry, type ZipFile } from 'yauzl';
import { decodeName, isLeftover, safePath } from './archive-names.js';
import type { Entry } from '../entry.js';
import { tooLarge, unfit } from '../refusal.js';

/** The end of an archive, which has its table of contents. */
export interface ArchiveEnd {
  archive: number;
  /** Names it in refusals. */
  name: string;
  /** Bytes of the whole archive. */
  size: number;
  /** Its last bytes. */
  end: Uint8Array;
}

/** The files of an archive by their paths, or from where its bytes are needed. */
export type Listed = { files: Map<string, Entry> } | { needs: number };

/**
 * Lists the files of a zip from its end.
 * @throws AppError `content_change_invalid` and `too_large`, naming the file
 */
export async function listEntries(archive: ArchiveEnd): Promise<Listed> {
  const reader = new EndReader(archive);
  try {
    const zip = await opened(reader, archive.size);
    if (zip.entryCount > importBounds.entries) throw tooLarge(archive.name, tooMany);
    return { files: await entriesOf(zip, archive) };
  } catch (error) {
    if (reader.needs !== undefined) return { needs: reader.needs };
    if (error instanceof AppError) throw error;
    throw unfit(archive.name, `It is no zip that can be read: ${error instanceof Error ? error.message : ''}`);
  }
}

export const tooMany = `More than ${importBounds.entries} files`;

/** Reads the end of an archive, and notes what lies before it. */
class EndReader extends RandomAccessReader {
  needs: number | undefined;
  readonly #end: Uint8Array;
  readonly #start: number;

  constructor({ end, size }: ArchiveEnd) {
    super();
    this.#end = end;
    this.#start = size - end.length;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    if (position < this.#start) {
      this.needs = Math.max(0, position);
      callback(new Error('More of the archive is needed'));
      return;
    }
    buffer.set(this.#end.subarray(position - this.#start, position - this.#start + length), offset);
    // Called at once, the entries would stand within each other on the stack.
    queueMicrotask(() => callback(null));
  }
}

function opened(reader: RandomAccessReader, size: number): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    const options = { lazyEntries: true, decodeStrings: false, autoClose: false };
    fromRandomAccessReader(reader, size, options, (error, zip) => {
      if (error === null) resolve(zip);
      else reject(error);
    });
  });
}

function entriesOf(zip: ZipFile, archive: ArchiveEnd): Promise<Map<string, Entry>> {
  const files = new Map<string, Entry>();
  let bytes = 0;
  return new Promise((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', () => resolve(files));
    zip.on('entry', (entry: ZipEntry) => {
      try {
        bytes += add(files, archive, entry);
        if (bytes > importBounds.bytes) throw tooLarge(archive.name, `More than ${importBounds.bytes} bytes, unpacked`);
        zip.readEntry();
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    zip.readEntry();
  });
}

const methods: Readonly<Record<number, Entry['method']>> = { 0: 'stored', 8: 'deflated' };
const encrypted = 0x1;
const kindOfFile = { mask: 0o170000, plain: 0o100000, folder: 0o040000 };
const smallBytes = 1024 * 1024;

/** Adds an entry unless it is a folder, or nothing that counts. @returns its bytes */
function add(files: Map<string, Entry>, { archive }: ArchiveEnd, entry: ZipEntry): number {
  const path = safePath(decodeName(entry.fileNameRaw, entry.generalPurposeBitFlag));
  const kind = (entry.externalFileAttributes >>> 16) & kindOfFile.mask;
  if (kind !== 0 && kind !== kindOfFile.plain && kind !== kindOfFile.folder)
    throw unfit(path, 'It is a link, or something else than a file');
  if (path.endsWith('/') || isLeftover(path)) return 0;
  if (files.has(path)) throw unfit(path, 'It is in the archive twice');
  if ((entry.generalPurposeBitFlag & encrypted) !== 0) throw unfit(path, 'It is encrypted');
  const method = methods[entry.compressionMethod];
  if (method === undefined) throw unfit(path, 'It is packed in a way that is not supported');
  const { compressedSize: packed, uncompressedSize: size, crc32: crc, relativeOffsetOfLocalHeader: offset } = entry;
  if (size > smallBytes + packed * importBounds.ratio) throw tooLarge(path, 'It unpacks to far more than it takes');
  files.set(path, { archive, offset, name: entry.fileNameLength, packed, size, crc, method });
  return size;
}
