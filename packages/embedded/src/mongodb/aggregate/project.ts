import {
  docElem,
  entries,
  inspect,
  isNumber,
  Reader,
  T,
  toBson,
  truthy,
  Writer,
  type Elem,
  type Out,
} from '../bson/index.js';
import { ServerError } from '../bson/errors.js';
import { isOperatorObject } from '../filter/node.js';
import { parseProjection, project } from '../query/projection.js';
import { compile, type Expression } from './expression.js';
import type { Stage } from './group.js';

const isFlag = (v: Elem): boolean => isNumber(v.t) || v.t === T.bool;

/** Parses `$project`: fields kept or dropped, and new fields from expressions (top level). */
export function projectStage(v: Elem): Stage {
  if (v.t !== T.object) throw new ServerError(15969, '$project specification must be an object');
  const all = flattened(v, '');
  if (all.length === 0) throw invalid(51272, 'projection specification must have at least one field');
  checkMixture(all);
  const computed = all
    .filter(([, item]) => !isFlag(item))
    .map(([name, item]): [string, Expression] => [name, compile(item)]);
  const plain = all.filter(([, item]) => isFlag(item));
  checkComputed(computed, plain);
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

const invalid = (code: number, why: string): ServerError =>
  new ServerError(code, `Invalid $project :: caused by :: ${why}`);

/** `{ a: { b: 1 } }` says the same as `{ 'a.b': 1 }`; an object that begins with an operator is an expression. */
function flattened(v: Elem, prefix: string): [string, Elem][] {
  const all = entries(v);
  if (prefix !== '' && all.length === 0)
    throw invalid(51270, `An empty sub-projection is not a valid value. Found empty object at path`);
  return all.flatMap(([name, item]): [string, Elem][] => {
    if (name.startsWith('$')) throw invalid(16410, "FieldPath field names may not start with '$'.");
    const path = prefix + name;
    return item.t === T.object && !isOperatorObject(item) ? flattened(item, `${path}.`) : [[path, item]];
  });
}

function checkComputed(computed: readonly (readonly [string, Expression])[], plain: readonly [string, Elem][]): void {
  const dotted = computed.find(([name]) => name.includes('.'));
  if (dotted !== undefined)
    throw new ServerError(238, `a computed field with the dotted path '${dotted[0]}' is not supported by this server`);
  const names = computed.map(([name]) => name);
  const kept = plain.map(([name]) => name);
  const twice =
    names.find((name, i) => names.indexOf(name) < i || kept.some((other) => meets(name, other))) ??
    kept.find((name, i) => kept.indexOf(name) < i);
  if (twice !== undefined) throw invalid(31250, `Path collision at ${twice}`);
}

/** A projection either keeps fields and makes new ones, or drops fields: the first but the `_id` decides. */
function checkMixture(all: readonly [string, Elem][]): void {
  const fields = all.filter(([name, item]) => name !== '_id' || !isFlag(item));
  const [first] = fields;
  const excludes = first !== undefined && isFlag(first[1]) && !truthy(first[1]);
  for (const [name, item] of fields) {
    if (!isFlag(item) && excludes)
      throw item.t === T.object
        ? invalid(31252, 'Cannot use expression other than $meta in exclusion projection')
        : invalid(31310, `Cannot use an expression ${name}: ${inspect(item)} in an exclusion projection`);
    if (isFlag(item) && !excludes && !truthy(item))
      throw invalid(31254, `Cannot do exclusion on field ${name} in inclusion projection`);
    if (isFlag(item) && excludes && truthy(item))
      throw invalid(31253, `Cannot do inclusion on field ${name} in exclusion projection`);
  }
}

const meets = (name: string, path: string): boolean => path === name || path.startsWith(`${name}.`);

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
