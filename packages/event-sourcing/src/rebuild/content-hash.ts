import { createHash } from 'node:crypto';
import { BSON, type Db, type Document } from 'mongodb';
import { positionFrom } from '../database/database.js';

/** A hash of a projection's documents in the order of their ids, without positions and tombstones. */
export interface ContentHash {
  hash: string;
  documents: number;
}

export interface LiveHash extends ContentHash {
  /** Documents that an event behind `upTo` has touched: not part of the hash. */
  changed: Set<string>;
}

type StoredDocument = Document & { _id: string };

/** Where documents are, and what is called before each of them: it throws when nobody waits for the hash any more. */
export interface Hashed {
  db: Db;
  collection: string;
  check: () => void;
}

/**
 * Hashes the documents as of `upTo`; those that have moved on since are left out and named. `ids`: gets those of
 * the others.
 */
export async function hashUpTo(hashed: Hashed, upTo: bigint, ids?: Set<string>): Promise<LiveHash> {
  const changed = new Set<string>();
  const content = await hashOf(hashed, ({ _id, _at }) => {
    const late = positionFrom(_at) > upTo;
    if (late) changed.add(_id);
    else ids?.add(_id);
    return !late;
  });
  return { ...content, changed };
}

/** Hashes the documents that are not among `without`, and among `only` if that is given. */
export function hashWithout(
  hashed: Hashed,
  without: ReadonlySet<string>,
  only?: ReadonlySet<string>,
): Promise<ContentHash> {
  return hashOf(hashed, ({ _id }) => !without.has(_id) && only?.has(_id) !== false);
}

async function hashOf(
  { db, collection, check }: Hashed,
  counts: (doc: StoredDocument) => boolean,
): Promise<ContentHash> {
  const hash = createHash('sha256');
  let documents = 0;
  for await (const doc of db.collection<StoredDocument>(collection).find().sort({ _id: 1 })) {
    check();
    if (!counts(doc) || doc['_gone'] === true) continue;
    const { _at, ...content } = doc;
    hash.update(JSON.stringify(canonical(BSON.EJSON.serialize(content)))).update('\n');
    documents += 1;
  }
  return { hash: hash.digest('hex'), documents };
}

/** Keys in alphabetical order: in which order fields were set is not content. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, canonical(inner)]),
  );
}
