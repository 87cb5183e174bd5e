import { isDuplicate } from '@scriptorium/event-sourcing';
import { microBatcher, type Scope } from '@scriptorium/platform';
import type { Collection, Db, Filter } from 'mongodb';

/** A text that somebody wrote. It is written once; a change makes another one, and the one before is deleted. */
interface TextDocument {
  /** `<space>/<owner>/<text>` */
  _id: string;
  json: string;
}

/** Where a text is: in a space, and of something that it goes with. */
export interface TextPlace {
  space: string;
  /** The comment or change request, also for texts of its parts. */
  owner: string;
  text: string;
}

/** Texts that go together: one, all of an owner, or all of a space. */
export type TextGroup = Pick<TextPlace, 'space'> & Partial<TextPlace>;

/** Texts of one read. */
const atOnce = 500;

function texts({ database }: Pick<Scope, 'database'>): Collection<TextDocument> {
  return database.collection<TextDocument>('op_texts');
}

function keyOf({ space, owner, text }: TextPlace): string {
  return `${space}/${owner}/${text}`;
}

/**
 * Stores a text, JSON-like. It is durable when this resolves. A text that is there already is the same one: names are
 * made once.
 */
export async function storeText(scope: Pick<Scope, 'database'>, place: TextPlace, value: unknown): Promise<void> {
  await insertInto(scope)({ _id: keyOf(place), json: JSON.stringify(value) });
}

type Insert = (text: TextDocument) => Promise<unknown>;

const inserts = new WeakMap<Db, Insert>();

/** Inserts into a database. Texts of one moment are one command, which waits for the disk once. */
function insertInto(scope: Pick<Scope, 'database'>): Insert {
  const known = inserts.get(scope.database);
  if (known !== undefined) return known;
  const insert = microBatcher((some: readonly TextDocument[]) => insertAll(texts(scope), some));
  inserts.set(scope.database, insert);
  return insert;
}

const durable = { writeConcern: { w: 'majority', journal: true } } as const;

/** What a failed insert of several has inserted is not told, so each one is sent alone then. */
async function insertAll(
  collection: Collection<TextDocument>,
  some: readonly TextDocument[],
): Promise<readonly TextDocument[]> {
  if (some.length > 1) {
    const all = collection.insertMany([...some], { ...durable, ordered: false });
    if (await all.then(() => true).catch(() => false)) return some;
  }
  await Promise.all(some.map((text) => insertOne(collection, text)));
  return some;
}

async function insertOne(collection: Collection<TextDocument>, text: TextDocument): Promise<void> {
  await collection.insertOne(text, durable).catch((error: unknown) => {
    if (!isDuplicate(error)) throw error;
  });
}

/** The texts with these names that exist, by name. */
export async function findTexts(
  scope: Pick<Scope, 'database'>,
  places: readonly TextPlace[],
): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for (let start = 0; start < places.length; start += atOnce) {
    const ids = places.slice(start, start + atOnce).map(keyOf);
    for await (const { _id, json } of texts(scope).find({ _id: { $in: ids } }))
      found.set(_id.slice(_id.lastIndexOf('/') + 1), JSON.parse(json));
  }
  return found;
}

/** Deletes texts for good. */
export async function dropTexts(scope: Pick<Scope, 'database'>, group: TextGroup): Promise<void> {
  await texts(scope).deleteMany(within(group));
}

function within({ space, owner, text }: TextGroup): Filter<TextDocument> {
  if (owner !== undefined && text !== undefined) return { _id: keyOf({ space, owner, text }) };
  const path = owner === undefined ? space : `${space}/${owner}`;
  // `0` comes directly behind `/`.
  return { _id: { $gte: `${path}/`, $lt: `${path}0` } };
}
