import { isDuplicate } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { Binary, MongoBulkWriteError, type Collection } from 'mongodb';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** An object of content as it is stored: written once, never changed, and proven by its name. */
interface ObjectDocument {
  /** `<pool>/<name>`; the name is the SHA-256 of the text. */
  _id: string;
  /** The text, deflated. */
  text: Binary;
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

function objects({ database }: Pick<Scope, 'database'>): Collection<ObjectDocument> {
  return database.collection<ObjectDocument>('op_objects');
}

/** Stores what is not there yet. It is durable when this resolves. */
export async function insertObjects(
  scope: Pick<Scope, 'database'>,
  pool: string,
  texts: readonly NamedText[],
): Promise<void> {
  for (let start = 0; start < texts.length; start += atOnce) {
    const documents = texts.slice(start, start + atOnce).map(({ name, text }) => ({
      _id: `${pool}/${name}`,
      text: new Binary(deflateRawSync(text, compression)),
    }));
    await objects(scope)
      .insertMany(documents, { ordered: false, writeConcern: { w: 'majority', journal: true } })
      .catch(ignoreDuplicates);
  }
}

/** An object that is there already is the same one. */
function ignoreDuplicates(error: unknown): void {
  if (!isDuplicate(error)) throw error;
  if (!(error instanceof MongoBulkWriteError)) return;
  const failures = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  if (failures.some(({ code }) => code !== duplicateKey)) throw error;
}

const duplicateKey = 11_000;

/** The texts of those of these objects that are there, by name. */
export async function findObjects(
  scope: Pick<Scope, 'database'>,
  pool: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let start = 0; start < names.length; start += atOnce) {
    const ids = names.slice(start, start + atOnce).map((name) => `${pool}/${name}`);
    for await (const { _id, text } of objects(scope).find({ _id: { $in: ids } }))
      found.set(_id.slice(pool.length + 1), inflateRawSync(text.buffer).toString('utf8'));
  }
  return found;
}

/** Deletes all objects of a pool. */
export async function dropObjects(scope: Pick<Scope, 'database'>, pool: string): Promise<void> {
  // `0` comes directly behind `/`.
  await objects(scope).deleteMany({ _id: { $gte: `${pool}/`, $lt: `${pool}0` } });
}
