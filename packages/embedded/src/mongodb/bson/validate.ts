import { ServerError } from './errors.js';
import { T } from './view.js';

const MAX_DEPTH = 180;

const invalid = (why: string): ServerError => new ServerError(22, why);

const FIXED_SIZES = new Map<number, number>([
  [T.double, 8],
  [T.undefined, 0],
  [T.objectId, 12],
  [T.bool, 1],
  [T.date, 8],
  [T.null, 0],
  [T.int32, 4],
  [T.timestamp, 8],
  [T.int64, 8],
  [T.decimal, 16],
  [T.minKey, 0],
  [T.maxKey, 0],
]);

/**
 * Checks that a whole document lies inside `[off, limit)` and is well formed, so that every later reader may trust its
 * lengths. Answers the offset behind it. Throws InvalidBSON (22), or 15 (Overflow) when nested too deeply.
 */
export function validate(b: Buffer, off: number, limit: number, depth = 0): number {
  if (depth > MAX_DEPTH) throw new ServerError(15, `BSONObj exceeded maximum nested object depth: ${MAX_DEPTH}`);
  if (limit - off < 5) throw invalid('not enough data for a BSON document');
  const end = off + b.readInt32LE(off);
  if (end < off + 5 || end > limit) throw invalid('BSON length is out of range');
  if (b[end - 1] !== 0) throw invalid('BSON object not terminated with EOO');
  let p = off + 4;
  while (p < end - 1) {
    const t = b[p] as number;
    p = checkValue(t, b, cstringEnd(b, p + 1, end - 1), end - 1, depth);
  }
  if (p !== end - 1) throw invalid('BSON element runs past the end of its object');
  return end;
}

function cstringEnd(b: Buffer, s: number, limit: number): number {
  let p = s;
  while (p < limit && b[p] !== 0) p += 1;
  if (p >= limit) throw invalid('unterminated cstring');
  return p + 1;
}

function checkValue(t: number, b: Buffer, s: number, limit: number, depth: number): number {
  const fixed = FIXED_SIZES.get(t);
  if (fixed !== undefined) {
    if (s + fixed > limit) throw invalid('value runs past the end of its object');
    return s + fixed;
  }
  switch (t) {
    case T.string:
    case T.symbol:
    case T.code:
      return stringEnd(b, s, limit);
    case T.object:
    case T.array:
      return validate(b, s, limit, depth + 1);
    case T.binary:
      return binaryEnd(b, s, limit);
    case T.regex:
      return cstringEnd(b, cstringEnd(b, s, limit), limit);
    case T.dbPointer:
      return inside(stringEnd(b, s, limit) + 12, limit);
    case T.codeWScope:
      return scopeEnd(b, s, limit, depth);
    default:
      throw invalid(`Unrecognized BSON type 0x${t.toString(16)}`);
  }
}

function inside(end: number, limit: number): number {
  if (end > limit) throw invalid('value runs past the end of its object');
  return end;
}

function stringEnd(b: Buffer, s: number, limit: number): number {
  inside(s + 4, limit);
  const length = b.readInt32LE(s);
  if (length < 1) throw invalid('string with a length below one');
  const end = inside(s + 4 + length, limit);
  if (b[end - 1] !== 0) throw invalid('string not terminated');
  return end;
}

function binaryEnd(b: Buffer, s: number, limit: number): number {
  inside(s + 5, limit);
  const length = b.readInt32LE(s);
  if (length < 0) throw invalid('binary with a negative length');
  return inside(s + 5 + length, limit);
}

function scopeEnd(b: Buffer, s: number, limit: number, depth: number): number {
  inside(s + 14, limit);
  const end = inside(s + b.readInt32LE(s), limit);
  const scope = stringEnd(b, s + 4, end);
  if (validate(b, scope, end, depth + 1) !== end) throw invalid('code with scope has a wrong length');
  return end;
}
