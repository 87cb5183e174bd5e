import { isDuplicate } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import type { Collection, Filter } from 'mongodb';

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

/** Stores a text, JSON-like. It is durable when this resolves. A text that is there already is the same one: names are made once. */
export async function storeText(scope: Pick<Scope, 'database'>, place: TextPlace, value: unknown): Promise<void> {
  const json = JSON.stringify(value);
  await texts(scope)
    .insertOne({ _id: keyOf(place), json }, { writeConcern: { w: 'majority', journal: true } })
    .catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
    });
}

/** Those of these texts that are there, by name. */
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
