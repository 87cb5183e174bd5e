import { hash, SCHEMA_VERSION, type RichDocument } from '@scriptorium/rich-text';
import type { Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

type Within = Pick<Scope, 'database' | 'now'>;

/** Instructions of a translation. They stand where they can be removed, and not in events. */
interface StoredInstructions {
  /** `<translation>/<name>` */
  _id: string;
  translation: string;
  /** The document as JSON, since callers choose the names in it. */
  json: string;
  /** Milliseconds since 1970. */
  at: number;
}

export const instructionIndexes = {
  op_translation_instructions: [{ key: { translation: 1 }, name: 'translation' }],
} as const;

export const noInstructions: RichDocument = { object: 'document', data: { schemaVersion: SCHEMA_VERSION }, nodes: [] };

/** Younger ones may belong to a request that is not in the log yet. */
export const youngMs = 60_000;

function instructions({ database }: Pick<Within, 'database'>): Collection<StoredInstructions> {
  return database.collection<StoredInstructions>('op_translation_instructions');
}

/** Whether there is anything in instructions. */
export const saysNothing = (document: RichDocument): boolean => document.nodes.length === 0;

/** Whether instructions say the same. */
export const areEqual = (a: RichDocument, b: RichDocument): boolean =>
  hash(a, { keys: false }) === hash(b, { keys: false });

/** Keeps instructions under a name. Events have the name alone, and nothing of what it stands for. Safe to repeat. */
export async function keepInstructions(
  scope: Within,
  { translation, name }: { translation: string; name: string },
  document: RichDocument,
): Promise<void> {
  const fields = { translation, json: JSON.stringify(document), at: scope.now() };
  await instructions(scope).updateOne({ _id: `${translation}/${name}` }, { $set: fields }, { upsert: true });
}

/** Instructions by their places, `<translation>/<name>`; those that are gone are missing. */
export async function findInstructions(
  scope: Pick<Within, 'database'>,
  named: ReadonlyArray<{ translation: string; name: string | null }>,
): Promise<ReadonlyMap<string, RichDocument>> {
  const ids = named.flatMap(({ translation, name }) => (name === null ? [] : [`${translation}/${name}`]));
  if (ids.length === 0) return new Map();
  const found = await instructions(scope)
    .find({ _id: { $in: ids } })
    .toArray();
  return new Map(found.map(({ _id, json }) => [_id, JSON.parse(json) as RichDocument]));
}

/** The name of the newest instructions that are kept for a translation; `null` for none. */
export async function newestName(scope: Pick<Within, 'database'>, translation: string): Promise<string | null> {
  const [newest] = await instructions(scope).find({ translation }).sort({ at: -1 }).limit(1).toArray();
  return newest?._id.slice(translation.length + 1) ?? null;
}

/** Removes the instructions of a translation: all, or those that are old and have another name. */
export async function dropInstructions(
  scope: Within,
  translation: string,
  except?: { name: string | null },
): Promise<void> {
  const old = except && { _id: { $ne: `${translation}/${except.name}` }, at: { $lt: scope.now() - youngMs } };
  await instructions(scope).deleteMany({ translation, ...old });
}
