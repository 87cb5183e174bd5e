import { toKey } from './access.js';
import {
  compare,
  looseEquals,
  type Ordering,
  spendCharacters,
  strictEquals,
  toNumber,
  toPrimitive,
} from './convert.js';
import { type Emit } from './emit-context.js';
import { type Range } from './error.js';
import { arrayIncludes } from './methods-array.js';
import { type BinaryOperator, type NodeOf, type UnaryOperator } from './node.js';
import { type Evaluate, halt, type Runtime, spend } from './runtime.js';
import { kindOf, type Value } from './value.js';

type Apply2 = (runtime: Runtime, left: Value, right: Value, where: Range) => Value;

const ordered =
  (...accepted: readonly Ordering[]): Apply2 =>
  (runtime, left, right, where) =>
    accepted.includes(compare(runtime, left, right, where));

const arithmetic =
  (apply: (left: number, right: number) => number): Apply2 =>
  (runtime, left, right, where) =>
    apply(toNumber(runtime, left, where), toNumber(runtime, right, where));

const add: Apply2 = (runtime, left, right, where) => {
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  const first = toPrimitive(runtime, left, where);
  const second = toPrimitive(runtime, right, where);
  if (typeof first !== 'string' && typeof second !== 'string') return Number(first) + Number(second);
  const text = `${first}${second}`;
  spendCharacters(runtime, text.length, where);
  return text;
};

/** `value in array` asks for an element, `key in object` for an own property. */
const isIn: Apply2 = (runtime, left, right, where) => {
  if (Array.isArray(right)) return arrayIncludes(runtime, right as readonly Value[], left, 0, where);
  if (typeof right === 'object' && right !== null) return Object.hasOwn(right, toKey(runtime, left, where));
  return halt(runtime, 'wrong_type', `Cannot look for something in ${kindOf(right)}`, where);
};

const BINARY: { readonly [K in BinaryOperator]: Apply2 } = {
  '==': looseEquals,
  '!=': (runtime, left, right, where) => !looseEquals(runtime, left, right, where),
  '===': strictEquals,
  '!==': (runtime, left, right, where) => !strictEquals(runtime, left, right, where),
  '<': ordered('less'),
  '<=': ordered('less', 'equal'),
  '>': ordered('greater'),
  '>=': ordered('greater', 'equal'),
  in: isIn,
  '+': add,
  '-': arithmetic((left, right) => left - right),
  '*': arithmetic((left, right) => left * right),
  '/': arithmetic((left, right) => left / right),
  '%': arithmetic((left, right) => left % right),
};

export const emitBinary = (node: NodeOf<'binary'>, emit: Emit): Evaluate => {
  const apply = BINARY[node.operator];
  const left = emit(node.left);
  const right = emit(node.right);
  return (runtime) => {
    spend(runtime, 1, node);
    const first = left(runtime);
    return apply(runtime, first, right(runtime), node);
  };
};

const UNARY: { readonly [K in UnaryOperator]: (runtime: Runtime, value: Value, where: Range) => Value } = {
  '!': (_runtime, value) => !value,
  '-': (runtime, value, where) => -toNumber(runtime, value, where),
  '+': toNumber,
  typeof: (_runtime, value) => typeof value,
};

export const emitUnary = (node: NodeOf<'unary'>, emit: Emit): Evaluate => {
  const apply = UNARY[node.operator];
  const operand = emit(node.operand);
  return (runtime) => {
    spend(runtime, 1, node);
    return apply(runtime, operand(runtime), node);
  };
};

export const emitLogical = (node: NodeOf<'logical'>, emit: Emit): Evaluate => {
  const { operator } = node;
  const left = emit(node.left);
  const right = emit(node.right);
  const decides = {
    '&&': (value: Value) => !value,
    '||': (value: Value) => Boolean(value),
    '??': (value: Value) => value != null,
  }[operator];
  return (runtime) => {
    spend(runtime, 1, node);
    const value = left(runtime);
    return decides(value) ? value : right(runtime);
  };
};

export const emitConditional = (node: NodeOf<'conditional'>, emit: Emit): Evaluate => {
  const test = emit(node.test);
  const consequent = emit(node.consequent);
  const alternate = emit(node.alternate);
  return (runtime) => {
    spend(runtime, 1, node);
    return test(runtime) ? consequent(runtime) : alternate(runtime);
  };
};
