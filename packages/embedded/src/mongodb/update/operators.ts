import {
  add,
  compareElems,
  equalElems,
  inspect,
  isNumber,
  multiply,
  numberOf,
  T,
  toElem,
  typeName,
  type Elem,
} from '../bson/index.js';
import { badValue, failedToParse, typeMismatch } from '../errors.js';
import { addToSet, pop, pull, pullAll, push } from './arrays.js';
import type { Mod, Target } from './spec.js';
import { closed, type Change, type Val } from './tree.js';

type Operator = (mod: Mod, current: Val | undefined, target: Target) => Change;

const set: Operator = ({ operand }) => operand;

const unset: Operator = (_mod, current) => (current === undefined ? undefined : 'remove');

function arithmetic(verb: string, calculate: typeof add, initial: (v: Elem) => Elem): Operator {
  return ({ op, path, operand }, current, target) => {
    if (!isNumber(operand.t))
      throw typeMismatch(`Cannot ${verb} with non-numeric argument: {${path}: ${inspect(operand)}}`);
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

function currentDate({ path, operand }: Mod): Elem {
  const timestamp = (): Elem => {
    const b = Buffer.alloc(8);
    b.writeUInt32LE(1, 0);
    b.writeUInt32LE(Math.floor(Date.now() / 1000), 4);
    return { t: T.timestamp, b, s: 0, e: 8 };
  };
  if (operand.t === T.bool) return toElem(new Date());
  if (operand.t !== T.object)
    throw badValue(
      `${typeName(operand.t)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`,
    );
  const text = inspect(operand);
  if (text === '{ $type: "timestamp" }') return timestamp();
  if (text === '{ $type: "date" }') return toElem(new Date());
  throw badValue(
    `The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {${path}: ${text}}}`,
  );
}

function bit({ path, operand }: Mod, current: Val | undefined): Elem {
  const match = /^\{ (and|or|xor): (-?\d+) \}$/.exec(inspect(operand));
  if (match === null)
    throw badValue(
      `The $bit modifier is not compatible with a ${typeName(operand.t)}. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}`,
    );
  const before = current === undefined ? toElem(0) : closed(current);
  if (before.t !== T.int32 && before.t !== T.int64)
    throw badValue(
      `Cannot apply $bit to a value of non-integral type. The field '${path}' has type ${typeName(before.t)}`,
    );
  const a = BigInt(numberOf(before) ?? 0);
  const b = BigInt(match[2] ?? 0);
  const result = match[1] === 'and' ? a & b : match[1] === 'or' ? a | b : a ^ b;
  return before.t === T.int64 ? toElem(result) : toElem(Number(BigInt.asIntN(32, result)));
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  $set: set,
  $setOnInsert: set,
  $unset: unset,
  $renameFrom: unset,
  $inc: arithmetic('increment', add, (v) => v),
  $mul: arithmetic('multiply', multiply, zero),
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
