import {
  add,
  compareElems,
  entries,
  equalElems,
  inspect,
  isNumber,
  multiply,
  T,
  textOf,
  toElem,
  typeName,
  type Elem,
} from '../bson/index.js';
import { badValue, failedToParse, typeMismatch } from '../bson/errors.js';
import {
  addToSet,
  condition,
  pop,
  pull,
  pullAll,
  push,
  readAddToSet,
  readPop,
  readPullAll,
  readPush,
} from './arrays.js';
import type { Mod, Target } from './model.js';
import { closed, type Change, type Val } from './tree.js';

type Operator = (mod: Mod, current: Val | undefined, target: Target) => Change;

const set: Operator = ({ operand }) => operand;

const unset: Operator = (_mod, current) => (current === undefined ? undefined : 'remove');

function arithmetic(calculate: typeof add, initial: (v: Elem) => Elem): Operator {
  return ({ op, path, operand }, current, target) => {
    if (current === undefined) return initial(operand);
    const v = closed(current);
    if (!isNumber(v.t)) {
      throw typeMismatch(
        `Cannot apply ${op} to a value of non-numeric type. {_id: ${inspect(target.id)}} has the field '${path.split('.').at(-1)}' of non-numeric type ${typeName(v.t)}`,
      );
    }
    const result = calculate(v, operand);
    if (result === undefined)
      throw badValue(
        `Failed to apply ${op} operations to current value (${inspect(v)}) for document {_id: ${inspect(target.id)}}`,
      );
    return result;
  };
}

/** A missing factor becomes zero of the operand's type. */
const zero = (v: Elem): Elem => multiply(v, toElem(0)) ?? toElem(0);

const extreme =
  (sign: number): Operator =>
  ({ operand }, current) =>
    current === undefined || compareElems(operand, closed(current)) * sign > 0 ? operand : undefined;

/** The operands of `$currentDate`: a truth value, or `{ $type: 'timestamp' }`, or `{ $type: 'date' }`. */
function readCurrentDate({ path, operand }: Mod): 'date' | 'timestamp' {
  if (operand.t === T.bool) return 'date';
  if (operand.t !== T.object)
    throw badValue(
      `${typeName(operand.t)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`,
    );
  const [first, ...more] = entries(operand);
  if (first?.[0] !== '$type' || more.length > 0)
    throw badValue(`Unrecognized $currentDate option: ${more[0]?.[0] ?? first?.[0] ?? ''}`);
  const type = first[1].t === T.string ? textOf(first[1]) : '';
  if (type === 'date' || type === 'timestamp') return type;
  throw badValue(
    `The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {${path}: ${inspect(operand)}}}`,
  );
}

function currentDate(mod: Mod): Elem {
  if (readCurrentDate(mod) === 'date') return toElem(new Date());
  const b = Buffer.alloc(8);
  b.writeUInt32LE(1, 0);
  b.writeUInt32LE(Math.floor(Date.now() / 1000), 4);
  return { t: T.timestamp, b, s: 0, e: 8 };
}

const BITWISE = new Map<string, (a: bigint, b: bigint) => bigint>([
  ['and', (a, b) => a & b],
  ['or', (a, b) => a | b],
  ['xor', (a, b) => a ^ b],
]);

const wholeOf = (v: Elem): bigint => (v.t === T.int32 ? BigInt(v.b.readInt32LE(v.s)) : v.b.readBigInt64LE(v.s));

/** The steps of a `$bit`, in order. */
function readBit({ operand }: Mod): { readonly calculate: (a: bigint, b: bigint) => bigint; readonly by: Elem }[] {
  const all = operand.t === T.object ? entries(operand) : [];
  if (all.length === 0)
    throw badValue(
      `The $bit modifier is not compatible with a ${typeName(operand.t)}. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}`,
    );
  return all.map(([name, by]) => {
    const calculate = BITWISE.get(name);
    if (calculate === undefined)
      throw badValue(
        `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}' which is an unknown operator`,
      );
    if (by.t !== T.int32 && by.t !== T.int64)
      throw badValue(
        `The $bit modifier field must be an Integer(32/64 bit); a '${typeName(by.t)}' is not supported here`,
      );
    return { calculate, by };
  });
}

function bit(mod: Mod, current: Val | undefined): Elem {
  const before = current === undefined ? toElem(0) : closed(current);
  if (before.t !== T.int32 && before.t !== T.int64)
    throw badValue(
      `Cannot apply $bit to a value of non-integral type. The field '${mod.path}' has type ${typeName(before.t)}`,
    );
  const steps = readBit(mod);
  const result = steps.reduce((a, { calculate, by }) => calculate(a, wholeOf(by)), wholeOf(before));
  const isLong = before.t === T.int64 || steps.some(({ by }) => by.t === T.int64);
  return isLong ? toElem(BigInt.asIntN(64, result)) : toElem(Number(BigInt.asIntN(32, result)));
}

const numeric =
  (verb: string) =>
  ({ path, operand }: Mod): void => {
    if (!isNumber(operand.t))
      throw typeMismatch(`Cannot ${verb} with non-numeric argument: {${path}: ${inspect(operand)}}`);
  };

/** What the operand of an operator has to be; anything for those that are not here. */
const OPERANDS = new Map<string, (mod: Mod) => unknown>([
  ['$inc', numeric('increment')],
  ['$mul', numeric('multiply')],
  ['$currentDate', readCurrentDate],
  ['$bit', readBit],
  ['$push', ({ operand }) => readPush(operand)],
  ['$addToSet', ({ operand }) => readAddToSet(operand)],
  ['$pull', ({ operand }) => condition(operand)],
  ['$pullAll', ({ operand }) => readPullAll(operand)],
  ['$pop', ({ operand }) => readPop(operand)],
]);

/** Refuses an operand that its operator cannot have, before any document is looked at. */
export function checkOperand(mod: Mod): void {
  OPERANDS.get(mod.op)?.(mod);
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  $set: set,
  $setOnInsert: set,
  $unset: unset,
  $renameFrom: unset,
  $inc: arithmetic(add, (v) => v),
  $mul: arithmetic(multiply, zero),
  $min: extreme(-1),
  $max: extreme(1),
  $currentDate: currentDate,
  $bit: bit,
  $push: push,
  $addToSet: addToSet,
  $pull: pull,
  $pullAll: pullAll,
  $pop: pop,
};

/** What one operator makes of the value at its path. */
export function applyOperator(mod: Mod, current: Val | undefined, target: Target): Change {
  const operator = OPERATORS[mod.op];
  if (operator === undefined) throw failedToParse(`Unknown modifier: ${mod.op}`);
  const result = operator(mod, current, target);
  // An equal value leaves the stored bytes as they are.
  if (result === undefined || result === 'remove' || current === undefined || 'k' in result || 'k' in current)
    return result;
  return result.t === current.t && equalElems(result, current) ? undefined : result;
}
