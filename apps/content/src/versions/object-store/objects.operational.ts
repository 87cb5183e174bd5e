import { AppError } from '@scriptorium/contracts';
import { isDuplicate } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { Binary, MongoBulkWriteError, type Collection } from 'mongodb';
import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib';

/** An object of content as it is stored: written once, never changed, and proven by its name. */
interface ObjectDocument {
  /** `<pool>/<name>`; the name is the SHA-256 of the text. */
  _id: string;
  /** The text, deflated. */
  text: Binary;
  /** When it was last stored, ms. Absent on those that were stored before this was kept. */
  at?: number;
}

/** A text that is stored under its own hash. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** Texts are repetitive and short; a higher level costs more CPU time than the bytes are worth. */
const compression = { level: 3 };
/** Objects of one read or write command. */
const atOnce = 500;

type Within = Pick<Scope, 'database'>;

function objects({ database }: Within): Collection<ObjectDocument> {
  return database.collection<ObjectDocument>('op_objects');
}

/** An object that was stored again so recently need not be noted to be in use. */
const freshMs = 12 * 3_600_000;
/** How often objects are stored that are removed in this very moment. */
const tries = 5;

/** Stores what is not there yet, and notes of the rest that it is in use. It is durable when this resolves. */
export async function insertObjects(
  scope: Within,
  pool: string,
  texts: readonly NamedText[],
  now: number,
): Promise<void> {
  for (let start = 0; start < texts.length; start += atOnce) {
    let left = await Promise.all(
      texts.slice(start, start + atOnce).map(async ({ name, text }) => ({
        _id: `${pool}/${name}`,
        text: new Binary(await deflated(text)),
        at: now,
      })),
    );
    for (let tried = 0; left.length > 0; tried += 1) {
      if (tried === tries)
        throw new AppError('unavailable', [], { message: 'Content is being removed', retryAfter: 1 });
      const present = await insertNew(scope, left);
      const gone = await goneOf(scope, present, now);
      left = left.filter(({ _id }) => gone.has(_id));
    }
  }
}

const deflate = promisify(deflateRaw);
/** Longer texts are deflated in the thread pool: many of them would keep other requests waiting. */
const longestInline = 16_384;

function deflated(text: string): Buffer | Promise<Buffer> {
  return text.length <= longestInline ? deflateRawSync(text, compression) : deflate(text, compression);
}

/** Inserts documents; the ids of those that were there already, which are the same. */
async function insertNew(scope: Within, documents: readonly ObjectDocument[]): Promise<string[]> {
  try {
    await objects(scope).insertMany([...documents], { ordered: false, writeConcern: durable });
    return [];
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    if (!(error instanceof MongoBulkWriteError)) return documents.map(({ _id }) => _id);
    const failures = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
    if (failures.some(({ code }) => code !== duplicateKey)) throw error;
    return failures.flatMap(({ index }: { index: number }) => documents[index]?._id ?? []);
  }
}

/** Notes that objects are in use; those that have been removed since they were seen. */
async function goneOf(scope: Within, ids: readonly string[], now: number): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await objects(scope)
    .find({ _id: { $in: [...ids] } }, { projection: { at: 1 } })
    .toArray();
  const stale = found.filter(({ at = 0 }) => at < now - freshMs).map(({ _id }) => _id);
  if (stale.length > 0) {
    const noted = await objects(scope).updateMany(
      { _id: { $in: stale } },
      { $max: { at: now } },
      { writeConcern: durable },
    );
    // Which of them were removed meanwhile is seen by looking again.
    if (noted.matchedCount < stale.length) return goneOf(scope, ids, now);
  }
  const there = new Set(found.map(({ _id }) => _id));
  return new Set(ids.filter((id) => !there.has(id)));
}

const durable = { w: 'majority', journal: true } as const;
const duplicateKey = 11_000;

/** The texts of those of these objects that are there, by name. */
export async function findObjects(scope: Within, pool: string, names: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let start = 0; start < names.length; start += atOnce) {
    const ids = names.slice(start, start + atOnce).map((name) => `${pool}/${name}`);
    for await (const { _id, text } of objects(scope).find({ _id: { $in: ids } }))
      found.set(_id.slice(pool.length + 1), inflateRawSync(text.buffer).toString('utf8'));
  }
  return found;
}

/** The number of objects that one command deletes. */
const dropBatch = 2_000;

/** Deletes the first objects of a pool. @returns whether there may be more */
export async function dropObjects(scope: Within, pool: string): Promise<boolean> {
  const names = await listObjects(scope, pool, { after: '', limit: dropBatch });
  if (names.length > 0) await objects(scope).deleteMany({ _id: { $in: names.map((name) => `${pool}/${name}`) } });
  return names.length === dropBatch;
}

/** Names of the objects of a pool, in their order, behind a name. */
export async function listObjects(
  scope: Within,
  pool: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const found = await objects(scope)
    .find({ _id: { $gt: `${pool}/${after}`, $lt: `${pool}0` } }, { projection: { _id: 1 } })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
  return found.map(({ _id }) => _id.slice(pool.length + 1));
}

/** Removes objects that were last stored before a moment (ms). @returns how many */
export async function removeObjects(
  scope: Within,
  pool: string,
  { names, before }: { names: readonly string[]; before: number },
): Promise<number> {
  if (names.length === 0) return 0;
  const ids = names.map((name) => `${pool}/${name}`);
  const { deletedCount } = await objects(scope).deleteMany({
    _id: { $in: ids },
    $or: [{ at: { $exists: false } }, { at: { $lt: before } }],
  });
  return deletedCount;
}
