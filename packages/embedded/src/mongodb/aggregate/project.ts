import { entries, isNumber, Reader, T, toBson, docElem, Writer, type Elem, type Out } from '../bson/index.js';
import { ServerError } from '../errors.js';
import { parseProjection, project } from '../query/projection.js';
import { compile, type Expression } from './expression.js';
import type { Stage } from './group.js';

const isFlag = (v: Elem): boolean => isNumber(v.t) || v.t === T.bool;

/** Parses `$project`: fields kept or dropped, and new fields from expressions (top level). */
export function projectStage(v: Elem): Stage {
  if (v.t !== T.object) throw new ServerError(15969, '$project specification must be an object');
  const all = entries(v);
  if (all.length === 0)
    throw new ServerError(
      51272,
      'Invalid $project :: caused by :: projection specification must have at least one field',
    );
  const computed = all
    .filter(([, item]) => !isFlag(item))
    .map(([name, item]): [string, Expression] => [name, compile(item)]);
  const dotted = computed.find(([name]) => name.includes('.'));
  if (dotted !== undefined)
    throw new ServerError(238, `a computed field with the dotted path '${dotted[0]}' is not supported by this server`);
  const plain = all.filter(([, item]) => isFlag(item));
  const fields: Record<string, Out> = Object.fromEntries(plain);
  if (computed.length > 0 && plain.every(([name]) => name === '_id')) fields[NOTHING] = 1;
  const spec = docElem(toBson(fields));
  const projection = parseProjection(spec);
  return function* run(docs) {
    for (const doc of docs) {
      if (doc === undefined) yield undefined;
      else yield withComputed(projection === undefined ? doc : project(projection, doc), doc, computed);
    }
  };
}

/** An inclusion that keeps no field. */
const NOTHING = '\u0001';

function withComputed(kept: Buffer, doc: Buffer, computed: readonly (readonly [string, Expression])[]): Buffer {
  if (computed.length === 0) return kept;
  const values = new Map(computed.map(([name, x]) => [name, x(doc)]));
  const w = new Writer(kept.length + 64);
  const at = w.open();
  const r = new Reader(kept);
  while (r.next()) if (!values.has(r.name)) w.elem(r.name, r.elem());
  for (const [name, v] of values) if (v !== undefined) w.elem(name, v);
  w.close(at);
  return w.done();
}
