import { createHash } from 'node:crypto';
import type { Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

type Within = Pick<Scope, 'database' | 'now'>;

/** What somebody has written for a segment of a page. It counts while the source of the segment is this one. */
export interface Pin {
  /** The name of the source in the memory. */
  hash: string;
  source: string;
  target: string;
}

interface StoredPin extends Pin {
  /** `<translation>/<id>`, with the id of the segment in the translation. */
  _id: string;
  translation: string;
  page: string;
  /** The id of the segment in its page. */
  segment: string;
  /** SHA-256 of the source: the same whatever provider there is. */
  sourceHash: string;
  /** Milliseconds since 1970. */
  at: number;
}

export const pinIndexes = {
  op_translation_pins: [
    { key: { translation: 1, page: 1 }, name: 'translation_page' },
    { key: { translation: 1, sourceHash: 1 }, name: 'translation_source' },
  ],
} as const;

function pins({ database }: Pick<Within, 'database'>): Collection<StoredPin> {
  return database.collection<StoredPin>('op_translation_pins');
}

/** A segment of a translation. `id`: in the translation; `segment`: in its page. */
interface PinPlace {
  translation: string;
  id: string;
  page: string;
  segment: string;
}

const hashOf = (source: string): string => createHash('sha256').update(source).digest('hex');

/** Keeps the pin of a segment. Those of equal sources say the same from now on. */
export async function keepPin(scope: Within, { id, ...place }: PinPlace, pin: Pin): Promise<void> {
  const { translation } = place;
  const sourceHash = hashOf(pin.source);
  const said = { ...pin, at: scope.now() };
  await pins(scope).updateMany({ translation, sourceHash }, { $set: said });
  await pins(scope).updateOne(
    { _id: `${translation}/${id}` },
    { $set: { ...place, ...said, sourceHash } },
    { upsert: true },
  );
}

/** Removes the pin of a segment, and those of a source. */
export async function dropPins(
  scope: Pick<Within, 'database'>,
  { translation, id, source }: Pick<PinPlace, 'translation' | 'id'> & Pick<Pin, 'source'>,
): Promise<void> {
  await pins(scope).deleteMany({ translation, sourceHash: hashOf(source) });
  await pins(scope).deleteOne({ _id: `${translation}/${id}` });
}

/** Sources that are asked for at a time. */
const askedTogether = 1_000;

/** What was written for sources, by these: it counts for all segments that have them, whatever provider there is. */
export async function pinsOfSources(
  scope: Pick<Within, 'database'>,
  translation: string,
  sources: readonly string[],
): Promise<Map<string, Pin>> {
  const found = new Map<string, Pin>();
  for (let from = 0; from < sources.length; from += askedTogether) {
    const sourceHash = { $in: sources.slice(from, from + askedTogether).map(hashOf) };
    for await (const { hash, source, target } of pins(scope).find({ translation, sourceHash }))
      found.set(source, { hash, source, target });
  }
  return found;
}

/** The pins of segments, by their ids in the translation. */
export async function findPins(
  scope: Pick<Within, 'database'>,
  translation: string,
  ids: readonly string[],
): Promise<Map<string, Pin>> {
  const found = new Map<string, Pin>();
  const wanted = ids.map((id) => `${translation}/${id}`);
  for await (const { _id, hash, source, target } of pins(scope).find({ _id: { $in: wanted } }))
    found.set(_id.slice(translation.length + 1), { hash, source, target });
  return found;
}

/** The pins of a page, by the ids of its segments. One whose source is another one is to be left aside. */
export async function pinsOfPage(
  scope: Pick<Within, 'database'>,
  translation: string,
  page: string,
): Promise<Map<string, Pin>> {
  const found = new Map<string, Pin>();
  for await (const { segment, hash, source, target } of pins(scope).find({ translation, page }))
    found.set(segment, { hash, source, target });
  return found;
}

/** Removes the pins of a translation. */
export async function dropAllPins(scope: Pick<Within, 'database'>, translation: string): Promise<void> {
  await pins(scope).deleteMany({ translation });
}
