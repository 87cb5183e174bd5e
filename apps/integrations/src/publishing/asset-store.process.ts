import { BlobError, type Blobs } from '@scriptorium/blobs';
import { mongoBlobs } from '@scriptorium/blobs/mongodb';
import { AppError } from '@scriptorium/contracts';
import type { ServiceContext } from '@scriptorium/platform';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { dropAssets, dropMarkedAssets, markUnusedAssets, noteAssets } from './assets.operational.js';

const writeWithinMs = 15_000;

/**
 * The bytes of integrations: scripts and images, in a pool of each integration in the database of the service. They are
 * few and small, and every replica needs them.
 */
export class AssetStore {
  readonly #context: Pick<ServiceContext, 'database' | 'now'>;
  readonly #url: string;
  #opened: Blobs | undefined;

  constructor(context: Pick<ServiceContext, 'database' | 'now'>, url: string) {
    this.#context = context;
    this.#url = url;
  }

  /** Stores bytes, by their hashes. Those of `replaced` are kept for as long as anything may need them. */
  async keep(integration: string, all: ReadonlyMap<string, Uint8Array>, replaced: readonly string[]): Promise<void> {
    const now = this.#context.now();
    await noteAssets(this.#context, integration, [...all.keys(), ...replaced], now);
    for (const [hash, bytes] of all)
      await withRefusals(async () => {
        if ((await this.#blobs.stat(integration, hash)) !== undefined) return;
        const options = { most: bytes.length, deadline: now + writeWithinMs };
        await this.#blobs.write(integration, Readable.from([bytes]), options);
      });
  }

  /** Bytes by their hash; `undefined` when they are not there. */
  read(integration: string, hash: string): Promise<Buffer | undefined> {
    return withRefusals(async () => {
      const found = await this.#blobs.read(integration, hash);
      return found === undefined ? undefined : buffer(found.stream);
    });
  }

  /** Removes what no version has used since `before` (ms), but for `used`. Safe to repeat. */
  async sweep(integration: string, unused: { before: number; used: readonly string[] }): Promise<void> {
    const hashes = await markUnusedAssets(this.#context, integration, unused);
    if (hashes.length === 0) return;
    await withRefusals(() => this.#blobs.remove(integration, hashes));
    await dropMarkedAssets(this.#context, integration, hashes);
  }

  /** Removes everything of an integration. Safe to repeat. */
  async dropAll(integration: string): Promise<void> {
    await withRefusals(() => this.#blobs.removePool(integration));
    await dropAssets(this.#context, integration);
  }

  async stop(): Promise<void> {
    await this.#opened?.close();
  }

  get #blobs(): Blobs {
    return (this.#opened ??= mongoBlobs({ url: this.#url, database: this.#context.database.databaseName }));
  }
}

/** SHA-256 in hexadecimal digits: the name of bytes. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Without the store nothing works now, but the request may be sent again. */
async function withRefusals<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BlobError)) throw error;
    if (error.code !== 'store_failed' && error.code !== 'interrupted')
      throw new AppError('unexpected', [], { cause: error });
    throw new AppError('unavailable', [], {
      message: 'The store of scripts does not answer, try again',
      cause: error,
      retryAfter: 5,
    });
  }
}
