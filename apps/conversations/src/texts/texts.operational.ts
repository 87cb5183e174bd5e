import { isDuplicate } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import type { Binary, Collection, Filter } from 'mongodb';

/**
 * A part of what was said. It is written once, but for its vector; a change makes another one, and the one before is
 * deleted.
 */
interface TextDocument {
  /** `<organization>/<owner>/<text>/<part>` */
  _id: string;
  json: string;
  /**
   * Since when (ms since 1970) it is not certain whether an event names it; absent when one does. What stays uncertain,
   * because a process ended between both, is looked up in the log.
   */
  pendingSince?: number;
  /** What a model makes of the text of an issue: a cache. `version`: vectors of one version compare. */
  vector?: { version: string; values: Binary };
}

/** Where a text is. `owner`: the conversation, or the cluster, that it goes with. */
export interface TextPlace {
  organization: string;
  owner: string;
  text: string;
}

/** Texts that go together: one, all of an owner, or all of an organization. */
export type TextGroup = Pick<TextPlace, 'organization'> & Partial<TextPlace>;

/** A part of a text: what lists show, everything else, or an issue of it. */
export interface TextPart {
  place: TextPlace;
  part: string;
}

const durable = { writeConcern: { w: 'majority', journal: true } } as const;
/** Texts of one read, and of one write. */
const batchSize = 500;

const name = 'op_conversation_texts';
export const textIndexes = { [name]: [{ key: { pendingSince: 1 }, name: 'pendingSince', sparse: true }] } as const;

export function textDocuments({ database }: Pick<Scope, 'database'>): Collection<TextDocument> {
  return database.collection<TextDocument>(name);
}

function pathOf({ organization, owner, text }: TextPlace): string {
  return `${organization}/${owner}/${text}`;
}

export function keyOf({ place, part }: TextPart): string {
  return `${pathOf(place)}/${part}`;
}

/**
 * Stores texts, JSON-like, before the event that names them. They are durable when this resolves, and pending until
 * they are confirmed. One that is there already stays: names are made once, and whoever makes a name again says the
 * same.
 */
export async function storeTexts(
  scope: Pick<Scope, 'database' | 'now'>,
  parts: readonly (TextPart & { value: unknown })[],
): Promise<void> {
  const pendingSince = scope.now();
  for (let start = 0; start < parts.length; start += batchSize) {
    const some = parts
      .slice(start, start + batchSize)
      .map(({ value, ...part }) => ({ _id: keyOf(part), json: JSON.stringify(value), pendingSince }));
    // What an attempt before has left is not to be deleted now.
    await textDocuments(scope).updateMany(
      { _id: { $in: some.map(({ _id }) => _id) }, pendingSince: { $exists: true } },
      { $set: { pendingSince } },
      durable,
    );
    await insertAll(textDocuments(scope), some);
  }
}

/**
 * The part with what a model said of a conversation, as long as that is not recorded. No event names it, so it is never
 * confirmed.
 */
export const answerPart = 'answer';

/** Tells that events name these texts. */
export async function confirmTexts(scope: Pick<Scope, 'database'>, parts: readonly TextPart[]): Promise<void> {
  const keys = parts.map(keyOf);
  for (let start = 0; start < keys.length; start += batchSize)
    await textDocuments(scope).updateMany(
      { _id: { $in: keys.slice(start, start + batchSize) } },
      { $unset: { pendingSince: true } },
      durable,
    );
}

/** Tells that an event is about to be recorded after which nothing names these texts. */
export async function markPending(scope: Pick<Scope, 'database' | 'now'>, parts: readonly TextPart[]): Promise<void> {
  if (parts.length === 0) return;
  const marked = { $set: { pendingSince: scope.now() } };
  await textDocuments(scope).updateMany({ _id: { $in: parts.map(keyOf) } }, marked, durable);
}

/** Texts that have been pending since before a moment, at most so many. */
export async function findPending(
  scope: Pick<Scope, 'database'>,
  { before, limit }: { before: number; limit: number },
): Promise<TextPart[]> {
  const found = await textDocuments(scope)
    .find({ pendingSince: { $lt: before } }, { projection: { _id: 1 }, limit })
    .toArray();
  return found.map(({ _id }) => {
    const [organization = '', owner = '', text = '', part = ''] = _id.split('/');
    return { place: { organization, owner, text }, part };
  });
}

/** Deletes texts that are still pending since before a moment. */
export async function dropPending(
  scope: Pick<Scope, 'database'>,
  parts: readonly TextPart[],
  before: number,
): Promise<void> {
  await textDocuments(scope).deleteMany({ _id: { $in: parts.map(keyOf) }, pendingSince: { $lt: before } }, durable);
}

/** What a failed insert of several has inserted is not told, so each one is sent alone then. */
async function insertAll(collection: Collection<TextDocument>, some: readonly TextDocument[]): Promise<void> {
  const all = collection.insertMany([...some], { ...durable, ordered: false });
  if (await all.then(() => true).catch(() => false)) return;
  for (const text of some)
    await collection.insertOne(text, durable).catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
    });
}

/** The values of these parts that exist, in the order of the parts; `undefined` for one that is gone. */
export async function findTexts(scope: Pick<Scope, 'database'>, parts: readonly TextPart[]): Promise<unknown[]> {
  const found = new Map<string, unknown>();
  const keys = parts.map(keyOf);
  for (let start = 0; start < keys.length; start += batchSize)
    for await (const { _id, json } of textDocuments(scope).find(
      { _id: { $in: keys.slice(start, start + batchSize) } },
      { projection: { json: 1 } },
    ))
      found.set(_id, JSON.parse(json));
  return keys.map((key) => found.get(key));
}

/** Deletes parts of texts. */
export async function dropParts(scope: Pick<Scope, 'database'>, parts: readonly TextPart[]): Promise<void> {
  const keys = parts.map(keyOf);
  for (let start = 0; start < keys.length; start += batchSize)
    await textDocuments(scope).deleteMany({ _id: { $in: keys.slice(start, start + batchSize) } }, durable);
}

/** Deletes texts for good. */
export async function dropTexts(scope: Pick<Scope, 'database'>, groups: readonly TextGroup[]): Promise<void> {
  for (let start = 0; start < groups.length; start += batchSize) {
    const some = groups.slice(start, start + batchSize).map((group) => ({ deleteMany: { filter: within(group) } }));
    await textDocuments(scope).bulkWrite(some, { ...durable, ordered: false });
  }
}

function within({ organization, owner, text }: TextGroup): Filter<TextDocument> {
  const path = [organization, owner, text].filter((name) => name !== undefined).join('/');
  // `0` comes directly behind `/`.
  return { _id: { $gte: `${path}/`, $lt: `${path}0` } };
}
