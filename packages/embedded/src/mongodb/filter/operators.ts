import {
  entries,
  inspect,
  isNumber,
  items,
  numberOf,
  regexOf,
  T,
  textOf,
  truthy,
  typesNamed,
  type Elem,
  type Path,
} from '../bson/index.js';
import { badValue, ServerError } from '../bson/errors.js';
import { matchesObject, matchesValue } from './match.js';
import { bitsNode } from './bits.js';
import { isOperatorObject, type Node } from './node.js';
import { comparison, compileRegex, equality, membership, not, pred, regexEquality, textTest } from './predicates.js';

/** One operator in its surroundings: `all` are its siblings, for `$options`. */
export interface Operator {
  readonly path: Path;
  readonly name: string;
  readonly operand: Elem;
  readonly all: readonly (readonly [string, Elem])[];
  readonly depth: number;
  /** How operands that are queries themselves are read. */
  readonly parse: Parsers;
}

interface Parsers {
  filter(v: Elem, depth: number): Node;
  operators(path: Path, v: Elem, depth: number): Node;
}

/** Turns one operator into a node. Throws BadValue for unknown operators. */
export function operatorNode(o: Operator): Node {
  const { path, name, operand } = o;
  switch (name) {
    case '$eq':
      return equality(path, operand);
    case '$ne':
      if (operand.t === T.regex) throw badValue("Can't have regex as arg to $ne.");
      return not(equality(path, operand));
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      if (operand.t === T.regex) throw badValue(`Can't have RegEx as arg to predicate over field '${path.text}'.`);
      return comparison(path, name, operand);
    case '$in':
      return membership(path, operand, name);
    case '$nin':
      return not(membership(path, operand, name));
    case '$exists': {
      const node = pred(path, '$exists', operand, false, (v) => v !== undefined);
      return truthy(operand) ? node : not(node);
    }
    default:
      return furtherNode(o);
  }
}

/** Operators of the real server that this one does not have. */
const MISSING = new Set(['$geoIntersects', '$geoWithin', '$within', '$maxDistance', '$minDistance']);

function furtherNode(o: Operator): Node {
  const { path, name, operand } = o;
  switch (name) {
    case '$type':
      return typeNode(path, operand);
    case '$regex':
      return regexNode(o);
    case '$mod':
      return modNode(path, operand);
    case '$size':
      return sizeNode(path, operand);
    case '$all':
      return allNode(o);
    case '$elemMatch':
      return elemMatch(o);
    case '$bitsAllSet':
    case '$bitsAllClear':
    case '$bitsAnySet':
    case '$bitsAnyClear':
      return bitsNode(path, name, operand);
    case '$near':
    case '$nearSphere':
      throw new ServerError(291, `error processing query: unable to find index for $geoNear query`);
    default:
      throw MISSING.has(name)
        ? new ServerError(238, `${name} is not supported by this server`)
        : badValue(`unknown operator: ${name}`);
  }
}

function typeNode(path: Path, operand: Elem): Node {
  const wanted = (operand.t === T.array ? items(operand) : [operand]).flatMap((v) => {
    if (v.t !== T.string && !isNumber(v.t))
      throw new ServerError(14, 'type must be represented as a number or a string');
    const types = v.t === T.string ? typesNamed(textOf(v)) : typesNumbered(v);
    if (types === undefined) throw badValue(`Unknown type name alias: ${textOf(v)}`);
    return types;
  });
  if (wanted.length === 0) throw new ServerError(9, `${path.text} must match at least one type`);
  return pred(path, '$type', operand, true, (v) => v !== undefined && wanted.includes(v.t));
}

const TYPES: ReadonlySet<number> = new Set(Object.values(T));

/** A type by its number, of which that of the lowest value is negative. */
function typesNumbered(v: Elem): number[] {
  const n = numberOf(v) ?? NaN;
  const t = n === -1 ? T.minKey : n;
  if (!TYPES.has(t) || n === T.minKey) throw badValue(`Invalid numerical type code: ${inspect(v)}`);
  return [t];
}

function regexNode({ path, operand, all }: Operator): Node {
  const options = all.find(([name]) => name === '$options')?.[1];
  if (options !== undefined && options.t !== T.string) throw badValue('$options has to be a string');
  if (operand.t === T.regex && options === undefined) return regexEquality(path, operand);
  if (operand.t === T.regex && regexOf(operand).flags !== '')
    throw new ServerError(51075, 'options set in both $regex and $options');
  if (operand.t !== T.regex && operand.t !== T.string) throw badValue('$regex has to be a string');
  const pattern = operand.t === T.regex ? regexOf(operand).pattern : textOf(operand);
  const test = textTest(compileRegex(pattern, options === undefined ? '' : textOf(options)));
  const plain = options === undefined || textOf(options) === '';
  return pred(path, plain ? '$regex' : '$regexOptions', operand, true, (v) => v !== undefined && test(v));
}

function modNode(path: Path, operand: Elem): Node {
  if (operand.t !== T.array) throw badValue('malformed mod, needs to be an array');
  const numbers = items(operand).map(numberOf);
  if (numbers.length < 2) throw badValue('malformed mod, not enough elements');
  if (numbers.length > 2) throw badValue('malformed mod, too many elements');
  const [divisor, rest] = numbers.map((n) => Math.trunc(n ?? NaN));
  if (divisor === undefined || !Number.isFinite(divisor)) throw badValue('malformed mod, divisor not a number');
  if (rest === undefined || !Number.isFinite(rest)) throw badValue('malformed mod, remainder not a number');
  if (divisor === 0) throw badValue('divisor cannot be 0');
  return pred(path, '$mod', operand, true, (v) => {
    const n = numberOf(v);
    return n !== undefined && Number.isFinite(n) && Math.trunc(n) % divisor === rest;
  });
}

function sizeNode(path: Path, operand: Elem): Node {
  const size = numberOf(operand);
  if (size === undefined)
    throw new ServerError(9, `Failed to parse $size. Expected a number in: $size: ${inspect(operand)}`);
  if (!Number.isInteger(size))
    throw new ServerError(9, `Failed to parse $size. Expected an integer: $size: ${inspect(operand)}`);
  if (size < 0)
    throw new ServerError(9, `Failed to parse $size. Expected a non-negative number in: $size: ${inspect(operand)}`);
  return pred(path, '$size', operand, false, (v) => v?.t === T.array && items(v).length === size);
}

function allNode(o: Operator): Node {
  if (o.operand.t !== T.array) throw badValue('$all needs an array');
  const list = items(o.operand);
  const isMatch = list.map((v) => isOperatorObject(v));
  if (isMatch.includes(true) && (isMatch.includes(false) || !list.every(isElemMatch)))
    throw badValue(list.some(isElemMatch) ? '$all/$elemMatch has to be consistent' : 'no $ expressions in $all');
  const nodes = list.map((v): Node => {
    if (v.t === T.regex) return regexEquality(o.path, v);
    return isOperatorObject(v) ? o.parse.operators(o.path, v, o.depth + 1) : equality(o.path, v);
  });
  if (nodes.length === 0) return { k: 'nor', nodes: [{ k: 'and', nodes: [] }] };
  return { k: 'and', nodes };
}

function isElemMatch(v: Elem): boolean {
  const all = v.t === T.object ? entries(v) : [];
  return all.length === 1 && all[0]?.[0] === '$elemMatch';
}

function elemMatch({ path, operand, depth, parse }: Operator): Node {
  if (operand.t !== T.object) throw badValue('$elemMatch needs an Object');
  const first = operand.b.toString('latin1', operand.s + 5, operand.s + 9);
  const onValues = isOperatorObject(operand) && !/^\$(and|or\0|nor)/.test(first);
  const node = onValues ? parse.operators(path, operand, depth + 1) : parse.filter(operand, depth + 1);
  return pred(path, '$elemMatch', operand, false, (v) => {
    if (v?.t !== T.array) return false;
    return items(v).some((item) =>
      onValues ? matchesValue(node, item) : item.t === T.object && matchesObject(node, item),
    );
  });
}
