import { AppError } from '@scriptorium/contracts';
import { isDuplicate } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

type Within = Pick<Scope, 'database'>;

/** Bytes of an integration: a script or an image. */
interface AssetDocument {
  /** `<integration>/<hash>`. */
  _id: string;
  integration: string;
  hash: string;
  /** When a version that has them was last published or replaced, ms. */
  at: number;
  /** They are being removed. */
  gone?: true;
}

export const assetIndexes = { op_assets: [{ key: { integration: 1, at: 1 }, name: 'integration_at' }] } as const;

function assets({ database }: Within): Collection<AssetDocument> {
  return database.collection<AssetDocument>('op_assets');
}

/**
 * Notes that bytes are used now, before they are stored.
 * @throws AppError `unavailable` for bytes that are being removed at this moment
 */
export async function noteAssets(
  scope: Within,
  integration: string,
  hashes: readonly string[],
  now: number,
): Promise<void> {
  for (const hash of new Set(hashes)) {
    const _id = `${integration}/${hash}`;
    try {
      await assets(scope).updateOne(
        { _id, gone: { $exists: false } },
        { $set: { integration, hash }, $max: { at: now } },
        { upsert: true },
      );
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      throw new AppError('unavailable', [], { message: 'The same bytes are being removed, try again', retryAfter: 1 });
    }
  }
}

/** Marks bytes that no version has used since `before` (ms), but for these; nobody can begin to use them any more. */
export async function markUnusedAssets(
  scope: Within,
  integration: string,
  { before, used }: { before: number; used: readonly string[] },
): Promise<string[]> {
  const old = { integration, hash: { $nin: [...used] }, at: { $lt: before } };
  await assets(scope).updateMany(old, { $set: { gone: true } });
  const marked = await assets(scope).find({ integration, gone: true }).toArray();
  return marked.map(({ hash }) => hash);
}

export async function dropMarkedAssets(scope: Within, integration: string, hashes: readonly string[]): Promise<void> {
  await assets(scope).deleteMany({ integration, hash: { $in: [...hashes] }, gone: true });
}

export async function dropAssets(scope: Within, integration: string): Promise<void> {
  await assets(scope).deleteMany({ integration });
}
