import { type Document, Double, Int32, Long } from 'mongodb';

/** Where documents name positions of the log, besides the fields `position` and `through` of operational documents. */
export interface PositionPlaces {
  /** Collections whose ids begin with the position of the document, and a colon. */
  readonly ids: readonly string[];
  /** Positions within a field that is JSON, of the documents with these values. */
  readonly texts: readonly {
    readonly collection: string;
    readonly of: Readonly<Record<string, string>>;
    readonly field: string;
    readonly path: readonly string[];
  }[];
  /** Fields that are of no use with other positions, and are left out: the path to each. */
  readonly dropped: readonly { readonly collection: string; readonly path: readonly string[] }[];
}

/** The fields of operational documents that are positions. */
const fields = ['position', 'through'];

/** Calls `there` for each position in a document and puts the result in its place. The document stays as it is. */
export function withPositions(
  collection: string,
  doc: Document,
  places: PositionPlaces,
  there: (position: bigint) => bigint,
): Document {
  // Everything else belongs to the log, or is bytes.
  if (!collection.startsWith('op_')) return doc;
  const moved: Document = { ...doc };
  for (const field of fields) if (isInteger(doc[field])) moved[field] = inPlace(doc[field], there);
  if (places.ids.includes(collection)) moved['_id'] = idFrom(doc, there);
  for (const { field, path } of places.texts.filter((place) => isOf(place, collection, doc)))
    if (typeof doc[field] === 'string') moved[field] = textFrom(doc[field], path, there);
  for (const place of places.dropped) if (place.collection === collection) drop(moved, place.path);
  return moved;
}

/** No event stands at 0 or before: that is not the position of anything. */
function moveOne(position: bigint, there: (position: bigint) => bigint): bigint {
  return position > 0n ? there(position) : position;
}

function inPlace(value: Long | Int32 | Double, there: (position: bigint) => bigint): Long | Double {
  const position = moveOne(Long.isLong(value) ? value.toBigInt() : BigInt(Math.trunc(value.value)), there);
  return Long.isLong(value) ? Long.fromBigInt(position) : new Double(Number(position));
}

function idFrom({ _id: id }: Document, there: (position: bigint) => bigint): unknown {
  if (typeof id !== 'string') return id;
  return id.replace(/^\d+(?=:)/, (digits) => String(moveOne(BigInt(digits), there)));
}

function isOf({ collection, of }: PositionPlaces['texts'][number], name: string, doc: Document): boolean {
  return collection === name && Object.entries(of).every(([field, value]) => doc[field] === value);
}

function textFrom(text: string, path: readonly string[], there: (position: bigint) => bigint): string {
  const value: unknown = JSON.parse(text);
  const [holder, name] = holderOf(value, path);
  const position = holder?.[name];
  if (holder === undefined || typeof position !== 'number' || !Number.isSafeInteger(position)) return text;
  holder[name] = Number(moveOne(BigInt(position), there));
  return JSON.stringify(value);
}

function drop(doc: Document, path: readonly string[]): void {
  // Only what is on the way is copied.
  let holder: Record<string, unknown> = doc;
  for (const step of path.slice(0, -1)) {
    const next = holder[step];
    if (!isObject(next)) return;
    holder = holder[step] = { ...next };
  }
  delete holder[path.at(-1) ?? ''];
}

/** The object that has the last name of a path, and that name. */
function holderOf(value: unknown, path: readonly string[]): [Record<string, unknown> | undefined, string] {
  let holder: unknown = value;
  for (const step of path.slice(0, -1)) holder = isObject(holder) ? holder[step] : undefined;
  return [isObject(holder) ? holder : undefined, path.at(-1) ?? ''];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isInteger(value: unknown): value is Long | Int32 | Double {
  return Long.isLong(value) || value instanceof Int32 || value instanceof Double;
}
