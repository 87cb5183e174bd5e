import {
  entries,
  inspect,
  isNumber,
  items,
  numberOf,
  parsePath,
  Reader,
  T,
  truthy,
  typeName,
  Writer,
  type Elem,
} from '../bson/index.js';
import { badValue, ServerError } from '../bson/errors.js';
import { parseFilter } from '../filter/parse.js';
import { isOperatorObject, type Node } from '../filter/node.js';
import { matchesObject } from '../filter/match.js';

/** What happens to one field: kept or dropped as a whole, looked into, or an array picked from. */
type Step =
  | { readonly k: 'leaf' }
  | { readonly k: 'tree'; readonly fields: Map<string, Step> }
  | { readonly k: 'slice'; readonly skip: number; readonly limit: number }
  | { readonly k: 'elemMatch'; readonly node: Node };

/** A parsed projection. */
export interface Projection {
  readonly include: boolean;
  readonly keepId: boolean;
  readonly fields: Map<string, Step>;
}

const LEAF: Step = { k: 'leaf' };

/** Parses `{ a: 1, 'b.c': 1, _id: 0 }`, `$slice` and `$elemMatch`; undefined when everything is wanted. */
export function parseProjection(v: Elem | undefined): Projection | undefined {
  if (v === undefined) return undefined;
  const all = entries(v);
  if (all.length === 0) return undefined;
  const fields = new Map<string, Step>();
  let include: boolean | undefined;
  let keepId: boolean | undefined;
  for (const [name, value] of all) {
    const step = stepOf(name, value);
    if (step !== undefined) {
      if (step.k === 'elemMatch') include ??= true;
      insert(fields, name, step);
      continue;
    }
    const wanted = truthy(value);
    if (name === '_id') {
      keepId = wanted;
      continue;
    }
    if (include !== undefined && include !== wanted) throw mixed(name, wanted);
    include = wanted;
    insert(fields, name, LEAF);
  }
  return { include: include ?? keepId ?? false, keepId: keepId ?? true, fields };
}

function mixed(name: string, wanted: boolean): ServerError {
  return wanted
    ? new ServerError(31253, `Cannot do inclusion on field ${name} in exclusion projection`)
    : new ServerError(31254, `Cannot do exclusion on field ${name} in inclusion projection`);
}

function stepOf(name: string, v: Elem): Step | undefined {
  if (name.endsWith('.$') || name === '$')
    throw new ServerError(238, 'the positional projection operator is not supported by this server');
  if (isNumber(v.t) || v.t === T.bool) return undefined;
  const [first, ...more] = v.t === T.object ? entries(v) : [];
  if (first === undefined || !isOperatorObject(v)) throw byExpression(name);
  if (more.length > 0)
    throw badValue(`an object representing an expression must have exactly one field: ${inspect(v)}`);
  const [operator, operand] = first;
  if (operator === '$slice') return sliceOf(operand);
  if (operator !== '$elemMatch') throw byExpression(name);
  if (operand.t !== T.object)
    throw new ServerError(31274, `elemMatch: Invalid argument, object required, but got ${typeName(operand.t)}`);
  if (name.includes('.')) throw new ServerError(31275, 'Cannot use $elemMatch projection on a nested field');
  return { k: 'elemMatch', node: parseFilter(operand) };
}

const byExpression = (name: string): ServerError =>
  new ServerError(238, `the projection of '${name}' by an expression is not supported by this server`);

const notANumber = (which: string, v: Elem | undefined): ServerError =>
  new ServerError(28724, `${which} argument to $slice must be a number: ${inspect(v)}`);

/** `$slice`: how many, or how many to pass by and how many to take. */
function sliceOf(v: Elem): Step {
  const given = v.t === T.array ? items(v) : [v];
  if (v.t === T.array && given.length !== 2)
    throw new ServerError(
      28667,
      `Expression $slice takes at least 2 arguments, and at most 3, but ${given.length + 1} were passed in.`,
    );
  const [a, b] = given.map(numberOf);
  if (a === undefined || Number.isNaN(a)) throw notANumber('First', given[0]);
  const skip = Math.trunc(a);
  if (v.t !== T.array) return skip < 0 ? { k: 'slice', skip, limit: Infinity } : { k: 'slice', skip: 0, limit: skip };
  if (b === undefined || Number.isNaN(b)) throw notANumber('Second', given[1]);
  if (b <= 0) throw new ServerError(28729, 'Third argument to $slice must be positive');
  return { k: 'slice', skip, limit: Math.trunc(b) };
}

function insert(fields: Map<string, Step>, name: string, step: Step): void {
  const parts = parsePath(name).parts.map((p) => p.name);
  if (parts.some((p) => p === '')) throw new ServerError(40353, 'FieldPath field names may not be empty strings.');
  let at = fields;
  parts.forEach((part, i) => {
    const known = at.get(part);
    if (i === parts.length - 1) {
      if (known !== undefined) throw new ServerError(31250, `Path collision at ${name}`);
      at.set(part, step);
      return;
    }
    if (known !== undefined && known.k !== 'tree')
      throw new ServerError(31249, `Path collision at ${name} remaining portion ${parts.slice(i + 1).join('.')}`);
    const next: Step = known ?? { k: 'tree', fields: new Map<string, Step>() };
    at.set(part, next);
    at = next.k === 'tree' ? next.fields : at;
  });
}

/** The projected document. */
export function project(p: Projection, doc: Buffer): Buffer {
  const w = new Writer(Math.min(doc.length + 16, 4096));
  const at = w.open();
  const r = new Reader(doc);
  while (r.next()) {
    const name = r.name;
    if (name === '_id' && !p.fields.has('_id')) {
      if (p.keepId) w.elem('_id', r.elem());
    } else apply(w, name, r.elem(), p.fields.get(name), p.include);
  }
  w.close(at);
  return w.done();
}

function apply(w: Writer, name: string, v: Elem, step: Step | undefined, include: boolean): void {
  if (step === undefined) {
    if (!include) w.elem(name, v);
    return;
  }
  switch (step.k) {
    case 'leaf':
      if (include) w.elem(name, v);
      return;
    case 'tree':
      descend(w, name, v, step.fields, include);
      return;
    case 'slice':
      if (v.t === T.array) writeItems(w, name, slice(items(v), step.skip, step.limit));
      else w.elem(name, v);
      return;
    case 'elemMatch': {
      const found =
        v.t === T.array ? items(v).find((item) => item.t === T.object && matchesObject(step.node, item)) : undefined;
      if (found !== undefined) writeItems(w, name, [found]);
    }
  }
}

function writeItems(w: Writer, name: string, list: readonly Elem[]): void {
  w.head(T.array, name);
  const at = w.open();
  list.forEach((item, i) => w.elem(String(i), item));
  w.close(at);
}

function slice(list: readonly Elem[], skip: number, limit: number): Elem[] {
  const start = skip < 0 ? Math.max(list.length + skip, 0) : skip;
  return list.slice(start, start + limit);
}

function descend(w: Writer, name: string, v: Elem, fields: Map<string, Step>, include: boolean): void {
  if (v.t !== T.object && v.t !== T.array) {
    if (!include) w.elem(name, v);
    return;
  }
  w.head(v.t, name);
  const at = w.open();
  if (v.t === T.object) for (const [field, value] of entries(v)) apply(w, field, value, fields.get(field), include);
  else {
    let i = 0;
    for (const item of items(v)) {
      if (item.t !== T.object && item.t !== T.array && include) continue;
      descend(w, String(i), item, fields, include);
      i += 1;
    }
  }
  w.close(at);
}
