import { isDuplicate } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import type { Collection, Filter } from 'mongodb';

/** A part of what was said. It is written once; a change makes another one, and the one before is deleted. */
interface TextDocument {
  /** `<organization>/<owner>/<text>/<part>` */
  _id: string;
  json: string;
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
const atOnce = 500;

function texts({ database }: Pick<Scope, 'database'>): Collection<TextDocument> {
  return database.collection<TextDocument>('op_conversation_texts');
}

function pathOf({ organization, owner, text }: TextPlace): string {
  return `${organization}/${owner}/${text}`;
}

function keyOf({ place, part }: TextPart): string {
  return `${pathOf(place)}/${part}`;
}

/**
 * Stores texts, JSON-like. They are durable when this resolves. One that is there already stays: names are made once,
 * and whoever makes a name again says the same.
 */
export async function storeTexts(
  scope: Pick<Scope, 'database'>,
  parts: readonly (TextPart & { value: unknown })[],
): Promise<void> {
  for (let start = 0; start < parts.length; start += atOnce) {
    const some = parts
      .slice(start, start + atOnce)
      .map(({ value, ...part }) => ({ _id: keyOf(part), json: JSON.stringify(value) }));
    await insertAll(texts(scope), some);
  }
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
  for (let start = 0; start < keys.length; start += atOnce)
    for await (const { _id, json } of texts(scope).find({ _id: { $in: keys.slice(start, start + atOnce) } }))
      found.set(_id, JSON.parse(json));
  return keys.map((key) => found.get(key));
}

/** Those of the parts that are not stored. */
export async function missingTexts<P extends TextPart>(
  scope: Pick<Scope, 'database'>,
  parts: readonly P[],
): Promise<P[]> {
  const keys = parts.map(keyOf);
  const there = await texts(scope)
    .find({ _id: { $in: keys } }, { projection: { _id: 1 } })
    .toArray();
  const known = new Set(there.map(({ _id }) => _id));
  return parts.filter((_, index) => !known.has(keys[index] ?? ''));
}

/** Deletes texts for good. */
export async function dropTexts(scope: Pick<Scope, 'database'>, groups: readonly TextGroup[]): Promise<void> {
  for (let start = 0; start < groups.length; start += atOnce) {
    const some = groups.slice(start, start + atOnce).map((group) => ({ deleteMany: { filter: within(group) } }));
    await texts(scope).bulkWrite(some, { ...durable, ordered: false });
  }
}

function within({ organization, owner, text }: TextGroup): Filter<TextDocument> {
  const path = [organization, owner, text].filter((name) => name !== undefined).join('/');
  // `0` comes directly behind `/`.
  return { _id: { $gte: `${path}/`, $lt: `${path}0` } };
}
