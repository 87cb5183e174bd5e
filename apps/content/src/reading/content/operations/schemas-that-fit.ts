/** A schema in a pack. `key` names it among those of all specifications, `length` is how many bytes it has there. */
interface PackedSchema {
  key: string;
  length: number;
}

/** What a document has room for, in characters of JSON, and the schemas that it has. */
interface Room {
  given: ReadonlySet<string>;
  left: number;
}

/** About how many characters of JSON a byte of a pack holds. */
const charactersOfByte = 4;
/** A short schema can have more bytes in a pack than it has characters, by at most so many. */
const bytesOfFrame = 16;

/**
 * The schemas to be read next, by what the blocks of a document show: for at least one block, and for as many as there
 * is room for by the lengths of the schemas. For a block for which there is surely none they are not read at all.
 */
export function schemasThatFit<S extends PackedSchema>(
  blocks: readonly (readonly S[])[],
  { given, left }: Room,
): S[][] {
  const planned = new Set(given);
  const next: S[][] = [];
  let room = left;
  for (const schemas of blocks) {
    const fresh = schemas.filter(({ key }) => !planned.has(key));
    const bytes = fresh.reduce((sum, { length }) => sum + Math.max(0, length - bytesOfFrame), 0);
    const isTooMuch = bytes > left;
    room -= bytes * charactersOfByte;
    if (next.length > 0 && (isTooMuch || room < 0)) break;
    if (isTooMuch) return [[]];
    for (const { key } of fresh) planned.add(key);
    next.push(fresh);
  }
  return next;
}
