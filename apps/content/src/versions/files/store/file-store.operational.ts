import type { Blobs, ByteRange } from '@scriptorium/blobs';
import { AppError, type LimitName } from '@scriptorium/contracts';
import type { Scope, ServiceContext } from '@scriptorium/platform';
import { buffer } from 'node:stream/consumers';
import { withRefusals } from './blob-failure.js';
import { giveFile, type FileAnswer } from './give-file.process.js';
import { createFileLinks, type FileLinks } from './file-links.js';
import type { FileRecord } from './file-record.js';
import type { FilesSettings } from '../files.settings.js';
import { openFiles } from './open-blobs.process.js';
import {
  countFor,
  dropMarked,
  dropStored,
  dropStoredOfPool,
  hasStored,
  listStored,
  markUnused,
  noteStored,
  storedAmong,
  storedBytes,
  storedBytesOf,
} from './stored-files.operational.js';
import type { UploadSweeper } from './upload-sweeper.process.js';
import { addUpload, dropUpload, poolOfUpload, unusedBytes, uploadsToDrop, type Upload } from './uploads.operational.js';

/** Bytes that a request has put aside, and how much they are. */
export interface PutAside {
  /** The upload that has them. */
  upload: string;
  hash: string;
  size: number;
}

/** Uploads that are removed at once. */
const atOnce = 100;
/** The number of files of a pool whose bytes are removed at once. */
const dropBatch = 50;

/** The bytes of files: in pools, as the objects of content are, and of uploads. */
export class FileStore {
  readonly #context: ServiceContext;
  readonly #settings: FilesSettings & { MONGODB_URL: string };
  readonly #sweeper: UploadSweeper;
  #opened: Promise<Blobs> | undefined;

  constructor(context: ServiceContext, settings: FilesSettings & { MONGODB_URL: string }, sweeper: UploadSweeper) {
    this.#context = context;
    this.#settings = settings;
    this.#sweeper = sweeper;
  }

  /** The base of addresses of files, without a slash at its end. */
  get origin(): string {
    return this.#settings.CONTENT_ORIGIN.replace(/\/$/, '');
  }

  /** Where bytes are kept. Its operations throw `BlobError`. */
  blobs(): Promise<Blobs> {
    const mongo = { url: this.#settings.MONGODB_URL, database: this.#context.database.databaseName };
    return (this.#opened ??= openFiles(this.#settings, mongo));
  }

  /** Gives a file of a pool to whoever asks. Who may have it was judged. */
  give(
    pool: string,
    { hash, name, contentType }: FileRecord,
    cached: string,
    request: Parameters<typeof giveFile>[3],
  ): Promise<FileAnswer> {
    const file = { alias: this.#aliasOf(pool), hash, name, type: contentType, cached };
    return giveFile(this.#context, this, file, request);
  }

  /** Makes addresses of the files of a pool. They do not show which pool it is. */
  linksOf(pool: string): FileLinks {
    const { keys, now } = this.#context;
    return createFileLinks(keys, { origin: this.origin, alias: this.#aliasOf(pool), now: now() });
  }

  /** Makes room for bytes that nothing refers to yet, until they end. */
  async putAside(id: string, upload: Upload, correlation: string): Promise<void> {
    await addUpload(this.#context, id, upload);
    await this.#sweeper.schedule(correlation);
  }

  /**
   * Gives a pool what was put aside for it, within what the organization may store. In a dry run, only asks whether it
   * may.
   * @throws AppError `limit_reached`, `unavailable`
   */
  async keep(
    scope: Pick<Scope, 'store' | 'quotas'>,
    { organization, pool }: { organization: string; pool: string },
    aside: readonly PutAside[],
  ): Promise<void> {
    if (aside.length === 0) return;
    const all = [...new Map(aside.map((one) => [one.hash, one])).values()];
    const limit: LimitName = 'fileBytesPerOrganization';
    const look = async () => ({
      present: await this.bytesOf(
        organization,
        aside.map(({ upload }) => upload),
      ),
      more: sum(await this.#newIn(pool, all)),
    });
    await scope.quotas.within({ limit, of: organization, most: sum(all), look }, async () => {
      if (!scope.store.dry) for (const one of all) await this.#give(organization, pool, one);
    });
  }

  /** All bytes that an organization stores or has been promised room for, but for these uploads. */
  async bytesOf(organization: string, but: readonly string[] = []): Promise<number> {
    return (await storedBytes(this.#context, organization)) + (await unusedBytes(this.#context, organization, but));
  }

  /** The bytes of some pools that count for an organization. */
  bytesOfPools(organization: string, pools: readonly string[]): Promise<number> {
    return storedBytesOf(this.#context, organization, pools);
  }

  /** Has bytes of pools count for another organization, to which the spaces were transferred. Safe to repeat. */
  async handOver(pools: readonly string[], organizations: { from: string; to: string }): Promise<void> {
    await countFor(this.#context, pools, organizations);
  }

  /** Removes all bytes of a pool, until `isOver`. Safe to repeat. @returns whether none are left */
  async dropPool(pool: string, isOver: () => boolean = () => false): Promise<boolean> {
    // Most pools have none, and a store that is away must not hold up these.
    if (!(await this.hasFiles(pool))) return true;
    const blobs = await this.blobs();
    for (;;) {
      const hashes = await this.list(pool, { after: '', limit: dropBatch });
      if (hashes.length < dropBatch) break;
      await withRefusals(() => blobs.remove(pool, hashes));
      await dropStored(
        this.#context,
        hashes.map((hash) => this.idOf(pool, hash)),
      );
      if (isOver()) return false;
    }
    // What is left, also of writes that never ended.
    await withRefusals(() => blobs.removePool(pool));
    await dropStoredOfPool(this.#context, pool);
    return true;
  }

  /** The bytes of a file, which must be small enough to be held. `undefined` when they are gone. */
  async bytes(pool: string, hash: string): Promise<Buffer | undefined> {
    return (await this.part(pool, hash))?.bytes;
  }

  /** The same of a part of a file, and how many bytes all of it are. */
  async part(pool: string, hash: string, range?: ByteRange): Promise<{ bytes: Buffer; size: number } | undefined> {
    const blobs = await this.blobs();
    return withRefusals(async () => {
      const found = await blobs.read(pool, hash, range);
      return found === undefined ? undefined : { bytes: await buffer(found.stream), size: found.size };
    });
  }

  hasFiles(pool: string): Promise<boolean> {
    return hasStored(this.#context, pool);
  }

  /** Names of bytes of a pool, in their order, behind one. */
  list(pool: string, slice: { after: string; limit: number }): Promise<string[]> {
    return listStored(this.#context, `${this.#aliasOf(pool)}/`, slice);
  }

  /** Those of these bytes that are not whole in the store. */
  async missing(pool: string, files: ReadonlyMap<string, number>): Promise<string[]> {
    const blobs = await this.blobs();
    const missing: string[] = [];
    for (const [hash, size] of files) {
      const found = await withRefusals(() => blobs.stat(pool, hash));
      if (found?.size !== size) missing.push(hash);
    }
    return missing;
  }

  /**
   * Removes bytes of a pool that are not used, unless a request used them since `before` (ms). Safe to repeat. @returns
   * how many
   */
  async remove(pool: string, { names, before }: { names: readonly string[]; before: number }): Promise<number> {
    const ids = names.map((hash) => this.idOf(pool, hash));
    const unused = await markUnused(this.#context, { ids, before });
    if (unused.length === 0) return 0;
    const blobs = await this.blobs();
    await withRefusals(() =>
      blobs.remove(
        pool,
        unused.map(({ hash }) => hash),
      ),
    );
    await dropMarked(
      this.#context,
      unused.map(({ id }) => id),
    );
    return unused.length;
  }

  /** Removes uploads that have ended, or all of an organization. @returns whether there are more */
  async dropUploads(which: { endedBy: number } | { organization: string }): Promise<boolean> {
    const ids = await uploadsToDrop(this.#context, which, atOnce);
    for (const id of ids) await this.dropUpload(id);
    return ids.length === atOnce;
  }

  async dropUpload(id: string): Promise<void> {
    const blobs = await this.blobs();
    await withRefusals(() => blobs.removePool(poolOfUpload(id)));
    await dropUpload(this.#context, id);
  }

  /** Names bytes of a pool among those of all pools. */
  idOf(pool: string, hash: string): string {
    return `${this.#aliasOf(pool)}/${hash}`;
  }

  async stop(): Promise<void> {
    await (await this.#opened)?.close();
  }

  async #give(organization: string, pool: string, { upload, hash, size }: PutAside): Promise<void> {
    const blobs = await this.blobs();
    await noteStored(this.#context, this.idOf(pool, hash), { organization, pool, hash, size }, this.#context.now());
    if (await withRefusals(() => blobs.copy(poolOfUpload(upload), pool, hash))) return;
    throw new AppError('unavailable', [], { message: 'The bytes of a file are gone, try again', retryAfter: 1 });
  }

  async #newIn(pool: string, aside: readonly PutAside[]): Promise<PutAside[]> {
    const known = await storedAmong(
      this.#context,
      aside.map(({ hash }) => this.idOf(pool, hash)),
    );
    return aside.filter(({ hash }) => !known.has(this.idOf(pool, hash)));
  }

  #aliasOf(pool: string): string {
    return this.#context.keys.digest('file-pool', pool).subarray(0, 16).toString('hex');
  }
}

function sum(all: readonly { size: number }[]): number {
  return all.reduce((bytes, { size }) => bytes + size, 0);
}
