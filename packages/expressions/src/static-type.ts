import { type BinaryOperator, type Call, type Logical, type Node, type NodeOf } from './node.js';

/** Kinds of values, as bits: an expression's static type is the set of kinds it may yield. */
const BOOLEAN = 1;
const NUMBER = 2;
const STRING = 4;
const NULL = 8;
const UNDEFINED = 16;
const ARRAY = 32;
const OBJECT = 64;
const ANY = 127;

type Kinds = number;

const ofLiteral = ({ value }: NodeOf<'literal'>): Kinds => {
  if (value === null) return NULL;
  if (value === undefined) return UNDEFINED;
  if (typeof value === 'boolean') return BOOLEAN;
  return typeof value === 'number' ? NUMBER : STRING;
};

const ARITHMETIC: ReadonlySet<BinaryOperator> = new Set(['-', '*', '/', '%']);

const ofBinary = ({ operator, left, right }: NodeOf<'binary'>): Kinds => {
  if (ARITHMETIC.has(operator)) return NUMBER;
  if (operator !== '+') return BOOLEAN;
  const kinds = staticKinds(left) | staticKinds(right);
  return (kinds & (STRING | ARRAY | OBJECT)) === 0 ? NUMBER : NUMBER | STRING;
};

const ofLogical = ({ operator, left, right }: Logical): Kinds => {
  const kinds = staticKinds(left);
  return (operator === '??' ? kinds & ~(NULL | UNDEFINED) : kinds) | staticKinds(right);
};

const RESULTS: ReadonlyMap<string, Kinds> = new Map([
  ['includes', BOOLEAN],
  ['startsWith', BOOLEAN],
  ['endsWith', BOOLEAN],
  ['some', BOOLEAN],
  ['every', BOOLEAN],
  ['toLowerCase', STRING],
  ['toUpperCase', STRING],
  ['trim', STRING],
  ['join', STRING],
  ['map', ARRAY],
  ['filter', ARRAY],
]);

const ofCall = ({ method }: Call): Kinds => RESULTS.get(method) ?? ANY;

const ofUnary = ({ operator }: NodeOf<'unary'>): Kinds => {
  if (operator === '!') return BOOLEAN;
  return operator === 'typeof' ? STRING : NUMBER;
};

/**
 * The kinds of values a node may yield, errors aside. What is read from the scope may be anything: a claim can be
 * absent whatever its schema says.
 */
const staticKinds = (node: Node): Kinds => {
  switch (node.kind) {
    case 'literal':
      return ofLiteral(node);
    case 'template':
      return STRING;
    case 'array':
      return ARRAY;
    case 'object':
      return OBJECT;
    case 'unary':
      return ofUnary(node);
    case 'binary':
      return ofBinary(node);
    case 'logical':
      return ofLogical(node);
    case 'conditional':
      return staticKinds(node.consequent) | staticKinds(node.alternate);
    case 'chain':
      return staticKinds(node.body) | UNDEFINED;
    case 'call':
      return ofCall(node);
    case 'variable':
    case 'local':
    case 'member':
    case 'index':
      return ANY;
  }
};

/** Whether a node can yield a boolean at all; a literal of another kind, arithmetic and text cannot. */
export const mayBeBoolean = (node: Node): boolean => (staticKinds(node) & BOOLEAN) !== 0;

/** Whether a node, when it yields a value, always yields an array. */
export const isAlwaysArray = (node: Node): boolean => staticKinds(node) === ARRAY;
