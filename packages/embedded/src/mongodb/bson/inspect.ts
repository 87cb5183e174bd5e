import { numberOf, regexOf, textOf } from './scalars.js';
import { entries, items, T, type Elem } from './view.js';

const MAX_TEXT = 2048;

/** A value as the server writes it into messages: `{ a: 1, b: "x", c: ObjectId('...') }`. */
export function inspect(v: Elem | undefined): string {
  const text = render(v);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}...` : text;
}

const renderNumber = (v: Elem): string => {
  const n = numberOf(v) ?? 0;
  return v.t === T.double && Number.isInteger(n) && Math.abs(n) < 1e15 ? n.toFixed(1) : String(n);
};

function renderObject(v: Elem): string {
  const parts = entries(v).map(([name, item]) => `${name}: ${render(item)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

function renderArray(v: Elem): string {
  const parts = items(v).map(render);
  return parts.length === 0 ? '[]' : `[ ${parts.join(', ')} ]`;
}

function renderBinary(v: Elem): string {
  return `BinData(${v.b[v.s + 4] ?? 0}, ${v.b.toString('hex', v.s + 5, v.e).toUpperCase()})`;
}

function renderRegex(v: Elem): string {
  const { pattern, flags } = regexOf(v);
  return `/${pattern}/${flags}`;
}

const RENDER: Readonly<Record<number, (v: Elem) => string>> = {
  [T.string]: (v) => JSON.stringify(textOf(v)),
  [T.symbol]: (v) => JSON.stringify(textOf(v)),
  [T.code]: textOf,
  [T.object]: renderObject,
  [T.array]: renderArray,
  [T.objectId]: (v) => `ObjectId('${v.b.toString('hex', v.s, v.e)}')`,
  [T.bool]: (v) => (v.b[v.s] === 1 ? 'true' : 'false'),
  [T.date]: (v) => `new Date(${v.b.readBigInt64LE(v.s)})`,
  [T.timestamp]: (v) => `Timestamp(${v.b.readUInt32LE(v.s + 4)}, ${v.b.readUInt32LE(v.s)})`,
  [T.int32]: renderNumber,
  [T.double]: renderNumber,
  [T.int64]: (v) => String(v.b.readBigInt64LE(v.s)),
  [T.decimal]: (v) => `Decimal128('${numberOf(v)}')`,
  [T.binary]: renderBinary,
  [T.regex]: renderRegex,
  [T.minKey]: () => 'MinKey',
  [T.maxKey]: () => 'MaxKey',
  [T.undefined]: () => 'undefined',
};

const render = (v: Elem | undefined): string => (v === undefined ? 'null' : (RENDER[v.t]?.(v) ?? 'null'));
