import { type Readable } from 'node:stream';

/** How much may come, and until when. */
export interface WriteOptions {
  /** Bytes; one more is `too_large`. */
  readonly most: number;
  /** Milliseconds since 1970. What has not come to its end by then is `interrupted`. */
  readonly deadline: number;
}

/** What is known of bytes once they are stored. */
export interface WrittenBlob {
  /** SHA-256 of the bytes, 64 lower-case hexadecimal digits: the name of the blob. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  /** The first `HEAD_BYTES` bytes, or all when there are fewer: for `sniff`. */
  readonly head: Uint8Array;
}

/** Bytes `start` to `end`, without that at `end`. What is beyond the size of the blob is left out. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A blob that is there. */
export interface StoredBlob {
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
}

/** A blob that is being read. */
export interface ReadBlob {
  /** Bytes of the whole blob, whatever the range. */
  readonly size: number;
  /** The bytes of the range. Must be read to its end or destroyed; otherwise a file or a connection stays open. */
  readonly stream: Readable;
}

/** The page of a list: what comes behind `after`, at most `limit` (1 to `LIST_LIMIT`). */
export interface ListOptions {
  readonly after?: string | undefined;
  readonly limit: number;
}

/**
 * Bytes of files, named by their hash within a pool. A name shows either all bytes or nothing. What is acknowledged is
 * on disk: it survives the end of the process and of the machine.
 *
 * A pool is 1 to 128 letters, digits, `-` and `_`, and begins with a letter or a digit. Every operation throws a
 * `BlobError`: `invalid` for a pool or hash that is none, `store_failed` when the store refuses or does not answer.
 */
export interface Blobs {
  /**
   * Stores bytes as they come and names them by their hash. The same bytes in the same pool are kept once.
   * A source that is a Node stream is destroyed when it is not read to its end.
   * @throws BlobError `too_large`, `interrupted`: nothing is stored then
   */
  write(pool: string, bytes: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<WrittenBlob>;
  /**
   * Begins to read a blob or a part of it. A range that begins at the end or beyond has no bytes.
   * The stream ends with an error when the store fails meanwhile, or the blob is removed.
   */
  read(pool: string, hash: string, range?: ByteRange): Promise<ReadBlob | undefined>;
  stat(pool: string, hash: string): Promise<StoredBlob | undefined>;
  /**
   * Gives a blob of one pool to another pool, too. Each is removed by itself. It passes through this process only where
   * the store cannot copy.
   * @returns false when the blob is not there
   */
  copy(from: string, to: string, hash: string): Promise<boolean>;
  /** Removes blobs; those that are not there count as removed. Nothing holds up a write of the same bytes meanwhile. */
  remove(pool: string, hashes: readonly string[]): Promise<void>;
  /** Blobs of a pool, ordered by hash; `after` is the last hash of the page before. */
  list(pool: string, options: ListOptions): Promise<StoredBlob[]>;
  /** Pools that hold blobs, ordered by the bytes of `<pool>/`; `after` is the last pool of the page before. */
  listPools(options: ListOptions): Promise<string[]>;
  /** Removes all of a pool, also what was left unfinished. Repeat it when it fails. */
  removePool(pool: string): Promise<void>;
  /**
   * Removes what writes that never ended have left in all pools: those begun before `olderThan` (milliseconds since
   * 1970), which must be longer ago than the deadline of any write. A write that is caught all the same fails and
   * leaves nothing.
   * @returns how many were removed
   */
  sweep(options: { readonly olderThan: number }): Promise<number>;
  /** Ends connections. */
  close(): Promise<void>;
}
