import {
  add,
  compareElems,
  entries,
  equalElems,
  isNumber,
  keyOf,
  numberOf,
  T,
  toElem,
  Writer,
  type Elem,
} from '../bson/index.js';
import { ServerError, typeMismatch } from '../bson/errors.js';
import { compile, type Expression } from './expression.js';

/** Collects the values of one field of one group. */
interface Accumulator {
  add(v: Elem | undefined): void;
  result(): Elem;
}

const NULL = toElem(null);
const MAX_GROUP_BYTES = 100 * 1024 * 1024;

function sum(): Accumulator {
  let total: Elem = toElem(0);
  return {
    add: (v) => {
      if (v !== undefined && isNumber(v.t))
        total = add(total, v) ?? toElem({ $double: (numberOf(total) ?? 0) + (numberOf(v) ?? 0) });
    },
    result: () => total,
  };
}

function average(): Accumulator {
  const total = sum();
  let n = 0;
  return {
    add: (v) => {
      if (v === undefined || !isNumber(v.t)) return;
      total.add(v);
      n += 1;
    },
    result: () => (n === 0 ? NULL : toElem({ $double: (numberOf(total.result()) ?? 0) / n })),
  };
}

function extreme(sign: number): Accumulator {
  let best: Elem | undefined;
  return {
    add: (v) => {
      if (v === undefined || v.t === T.null || v.t === T.undefined) return;
      if (best === undefined || compareElems(v, best) * sign > 0) best = v;
    },
    result: () => best ?? NULL,
  };
}

function pick(last: boolean): Accumulator {
  let chosen: Elem | undefined;
  let seen = false;
  return {
    add: (v) => {
      if (!seen || last) chosen = v;
      seen = true;
    },
    result: () => chosen ?? NULL,
  };
}

function list(distinct: boolean): Accumulator {
  const values: Elem[] = [];
  return {
    add: (v) => {
      if (v !== undefined && !(distinct && values.some((x) => equalElems(x, v)))) values.push(v);
    },
    result: () => toElem(values),
  };
}

const ACCUMULATORS = new Map<string, () => Accumulator>([
  ['$sum', sum],
  ['$avg', average],
  ['$min', () => extreme(-1)],
  ['$max', () => extreme(1)],
  ['$first', () => pick(false)],
  ['$last', () => pick(true)],
  ['$push', () => list(false)],
  ['$addToSet', () => list(true)],
]);

interface Field {
  readonly name: string;
  readonly expression: Expression;
  readonly make: () => Accumulator;
  /** Whether every value is kept. */
  readonly keeps: boolean;
}

function fieldOf(name: string, v: Elem): Field {
  const [first, ...more] = v.t === T.object ? entries(v) : [];
  if (first?.[0].startsWith('$') !== true)
    throw new ServerError(40234, `The field '${name}' must be an accumulator object`);
  if (name.includes('.')) throw new ServerError(40235, `The field name '${name}' cannot contain '.'`);
  if (name.startsWith('$')) throw new ServerError(40236, `The field name '${name}' cannot be an operator name`);
  if (more.length > 0) throw new ServerError(40238, `The field '${name}' must specify one accumulator`);
  const [operator, operand] = first;
  if (operator === '$count') return countOf(name, operand);
  const make = ACCUMULATORS.get(operator);
  if (make === undefined) throw new ServerError(15952, `unknown group operator '${operator}'`);
  if (operand.t === T.array) throw new ServerError(40237, `The ${operator} accumulator is a unary operator`);
  return { name, expression: compile(operand), make, keeps: operator === '$push' || operator === '$addToSet' };
}

function countOf(name: string, operand: Elem): Field {
  if (operand.t !== T.object || entries(operand).length > 0)
    throw typeMismatch('$count takes no arguments, i.e. $count:{}');
  return { name, expression: () => toElem(1), make: sum, keeps: false };
}

/** Documents in, one document per group out; `undefined` marks a place to pause at. */
export type Stage = (docs: Iterable<Buffer | undefined>) => Generator<Buffer | undefined, void, undefined>;

/** Parses `$group`. Groups come out in the order in which they were met. */
export function groupStage(v: Elem): Stage {
  if (v.t !== T.object) throw new ServerError(15947, "a group's fields must be specified in an object");
  const all = entries(v);
  const [id, ...more] = all.filter(([name]) => name === '_id').map(([, item]) => item);
  if (more.length > 0) throw new ServerError(15948, "a group's _id may only be specified once");
  if (id === undefined) throw new ServerError(15955, 'a group specification must include an _id');
  const key = compile(id);
  const fields = all.filter(([name]) => name !== '_id').map(([name, item]) => fieldOf(name, item));
  return (docs) => run(docs, key, fields);
}

function* run(
  docs: Iterable<Buffer | undefined>,
  key: Expression,
  fields: readonly Field[],
): Generator<Buffer | undefined, void, undefined> {
  const groups = new Map<string, { id: Elem; values: Accumulator[] }>();
  let bytes = 0;
  for (const doc of docs) {
    if (doc === undefined) {
      yield undefined;
      continue;
    }
    const id = key(doc) ?? NULL;
    const text = keyOf(id).toString('latin1');
    let group = groups.get(text);
    if (group === undefined) {
      groups.set(text, (group = { id, values: fields.map((f) => f.make()) }));
      bytes += text.length + doc.length;
    }
    for (const [i, f] of fields.entries()) {
      const value = f.expression(doc);
      group.values[i]?.add(value);
      if (f.keeps && value !== undefined) bytes += value.e - value.s + 64;
    }
    if (bytes > MAX_GROUP_BYTES)
      throw new ServerError(
        292,
        'PlanExecutor error during aggregation :: caused by :: Exceeded memory limit for $group, but did not allow external spilling',
      );
  }
  for (const { id, values } of groups.values()) {
    const w = new Writer(128);
    const at = w.open();
    w.elem('_id', id);
    values.forEach((a, i) => w.elem(fields[i]?.name ?? '', a.result()));
    w.close(at);
    yield w.done();
  }
}
