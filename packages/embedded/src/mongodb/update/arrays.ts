import {
  compareElems,
  entries,
  equalElems,
  inspect,
  items,
  numberOf,
  parsePath,
  T,
  typeName,
  type Elem,
} from '../bson/index.js';
import { badValue, failedToParse, typeMismatch } from '../bson/errors.js';
import { parseFilter, parseOperators } from '../filter/parse.js';
import { isOperatorObject, type Node } from '../filter/node.js';
import { matchesObject, matchesValue } from '../filter/match.js';
import { parseSort, sortKey } from '../query/sort.js';
import type { Mod, Target } from './model.js';
import { closed, opened, typeOf, type Arr, type Val } from './tree.js';

const asArray = (current: Val | undefined): Arr | undefined => {
  if (current === undefined) return { k: 'arr', items: [] };
  const v = opened(current);
  return 'k' in v && v.k === 'arr' ? v : undefined;
};

/** What `$push` or `$addToSet` adds, and how. */
interface Additions {
  readonly each: readonly Elem[];
  readonly position: number | undefined;
  readonly slice: number | undefined;
  readonly sort: Elem | undefined;
}

const only = (each: readonly Elem[]): Additions => ({ each, position: undefined, slice: undefined, sort: undefined });

const CLAUSES = ['$each', '$position', '$sort', '$slice'];

/** Reads `{ $each: [...], ... }` or the one value of a `$push`. @throws BadValue for other clauses and wrong values */
export function readPush(operand: Elem): Additions {
  const all = new Map(operand.t === T.object ? entries(operand) : []);
  const each = all.get('$each');
  if (each === undefined) return only([operand]);
  for (const name of all.keys()) if (!CLAUSES.includes(name)) throw badValue(`Unrecognized clause in $push: ${name}`);
  const sort = all.get('$sort');
  if (sort !== undefined) checkSort(sort);
  return {
    each: listOf(each, '$push'),
    position: integer(all.get('$position'), '$position'),
    slice: integer(all.get('$slice'), '$slice'),
    sort,
  };
}

/** Reads `{ $each: [...] }` or the one value of an `$addToSet`. @throws BadValue for anything beside `$each` */
export function readAddToSet(operand: Elem): Additions {
  const [first, ...more] = operand.t === T.object ? entries(operand) : [];
  if (first?.[0] !== '$each') return only([operand]);
  const each = listOf(first[1], '$addToSet');
  if (more.length > 0) throw badValue(`Found unexpected fields after $each in $addToSet: ${inspect(operand)}`);
  return only(each);
}

function listOf(each: Elem, operator: string): Elem[] {
  if (each.t !== T.array)
    throw badValue(`The argument to $each in ${operator} must be an array but it was of type: ${typeName(each.t)}`);
  return items(each);
}

/** `$push` with `$each`, `$position`, `$sort`, `$slice`. */
export function push({ path, operand }: Mod, current: Val | undefined, target: Target): Arr {
  const array = asArray(current);
  if (array === undefined)
    throw badValue(
      `The field '${path}' must be an array but is of type ${typeOf(current as Val)} in document {_id: ${inspect(target.id)}}`,
    );
  const { each, position, slice, sort } = readPush(operand);
  const list: Val[] = [...array.items];
  list.splice(position ?? list.length, 0, ...each);
  if (sort !== undefined) sortItems(list, sort);
  if (slice === undefined) return { k: 'arr', items: list };
  return { k: 'arr', items: slice < 0 ? list.slice(slice) : list.slice(0, slice) };
}

function integer(v: Elem | undefined, name: string): number | undefined {
  if (v === undefined) return undefined;
  const n = numberOf(v);
  if (n === undefined || !Number.isInteger(n))
    throw badValue(`The value for ${name} must be an integer value but was given type: ${typeName(v.t)}`);
  return n;
}

function checkSort(sort: Elem): void {
  if (sort.t === T.object) {
    if (parseSort(sort).length === 0) throw badValue('The $sort pattern is empty when it should be a set of fields.');
    return;
  }
  const direction = numberOf(sort);
  if (direction !== 1 && direction !== -1) throw badValue('The $sort element value must be either 1 or -1');
}

function sortItems(list: Val[], sort: Elem): void {
  if (sort.t !== T.object) {
    const direction = numberOf(sort) ?? 1;
    list.sort((a, b) => compareElems(closed(a), closed(b)) * direction);
    return;
  }
  const fields = parseSort(sort);
  const key = (v: Val): Buffer => {
    const elem = closed(v);
    return elem.t === T.object ? sortKey(fields, elem.b.subarray(elem.s, elem.e)) : Buffer.alloc(0);
  };
  list.sort((a, b) => key(a).compare(key(b)));
}

/** `$addToSet`, also with `$each`. */
export function addToSet({ path, operand }: Mod, current: Val | undefined): Arr {
  const array = asArray(current);
  if (array === undefined)
    throw badValue(
      `Cannot apply $addToSet to non-array field. Field named '${path.split('.').at(-1)}' has non-array type ${typeOf(current as Val)}`,
    );
  const list: Val[] = [...array.items];
  const known = list.map(closed);
  for (const v of readAddToSet(operand).each) {
    if (known.some((k) => equalElems(k, v))) continue;
    known.push(v);
    list.push(v);
  }
  return { k: 'arr', items: list };
}

/** `$pull`: a value, a condition on values, or a condition on the fields of objects. */
export function pull({ operand }: Mod, current: Val | undefined): Arr | undefined {
  if (current === undefined) return undefined;
  const array = asArray(current);
  if (array === undefined) throw badValue('Cannot apply $pull to a non-array value');
  const drops = condition(operand);
  return { k: 'arr', items: array.items.filter((item) => !drops(closed(item))) };
}

/** Reads what a `$pull` takes out. */
export function condition(operand: Elem): (item: Elem) => boolean {
  if (operand.t === T.regex || isOperatorObject(operand)) {
    const node: Node = operand.t === T.regex ? parseFilterOf(operand) : parseOperators(parsePath('a'), operand, 0);
    return (item) => matchesValue(node, item);
  }
  if (operand.t !== T.object) return (item) => equalElems(item, operand);
  const node = parseFilter(operand);
  return (item) => item.t === T.object && matchesObject(node, item);
}

function parseFilterOf(regex: Elem): Node {
  const b = Buffer.concat([
    Buffer.from([0, 0, 0, 0, regex.t, 0x61, 0]),
    regex.b.subarray(regex.s, regex.e),
    Buffer.from([0]),
  ]);
  b.writeInt32LE(b.length);
  return parseFilter({ t: T.object, b, s: 0, e: b.length });
}

/** The values of a `$pullAll`. */
export function readPullAll(operand: Elem): Elem[] {
  if (operand.t !== T.array)
    throw badValue(`$pullAll requires an array argument but was given a ${typeName(operand.t)}`);
  return items(operand);
}

/** `$pullAll`: every value of a list. */
export function pullAll({ operand }: Mod, current: Val | undefined): Arr | undefined {
  if (current === undefined) return undefined;
  const array = asArray(current);
  if (array === undefined) throw badValue('Cannot apply $pull to a non-array value');
  const list = readPullAll(operand);
  return { k: 'arr', items: array.items.filter((item) => !list.some((v) => equalElems(v, closed(item)))) };
}

/** Which end a `$pop` takes from. */
export function readPop(operand: Elem): 1 | -1 {
  const end = numberOf(operand);
  if (end !== 1 && end !== -1) throw failedToParse(`$pop expects 1 or -1, found: ${inspect(operand)}`);
  return end;
}

/** `$pop`: the last (1) or first (-1) element. */
export function pop({ path, operand }: Mod, current: Val | undefined): Arr | undefined {
  const end = readPop(operand);
  if (current === undefined) return undefined;
  const array = asArray(current);
  if (array === undefined)
    throw typeMismatch(`Path '${path}' contains an element of non-array type '${typeOf(current)}'`);
  return { k: 'arr', items: end === 1 ? array.items.slice(0, -1) : array.items.slice(1) };
}
