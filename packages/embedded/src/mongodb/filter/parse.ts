import { entries, items, parsePath, T, type Elem, type Path } from '../bson/index.js';
import { badValue, ServerError } from '../bson/errors.js';
import { isOperatorObject, type Node } from './node.js';
import { operatorNode } from './operators.js';
import { equality, regexEquality } from './predicates.js';

const MAX_NESTING = 100;

/** Parses a query. Throws the server's own errors: BadValue for unknown operators and malformed operands. */
export function parseFilter(filter: Elem, depth = 0): Node {
  if (depth > MAX_NESTING) throw badValue('exceeded maximum query tree depth');
  const nodes: Node[] = [];
  for (const [name, v] of entries(filter)) {
    const node = name.startsWith('$') ? topLevel(name, v, depth) : parseField(parsePath(name), v, depth);
    if (node !== undefined) nodes.push(node);
  }
  return nodes.length === 1 ? (nodes[0] as Node) : { k: 'and', nodes };
}

function topLevel(name: string, v: Elem, depth: number): Node | undefined {
  switch (name) {
    case '$and':
    case '$or':
    case '$nor':
      return { k: name.slice(1) as 'and' | 'or' | 'nor', nodes: clauses(name, v, depth) };
    case '$comment':
      return undefined;
    case '$where':
      throw badValue('no globalScriptEngine in $where parsing');
    case '$text':
      throw new ServerError(27, 'text index required for $text query');
    case '$expr':
    case '$jsonSchema':
    case '$sampleRate':
    case '$alwaysTrue':
    case '$alwaysFalse':
      throw new ServerError(238, `${name} is not supported by this server`);
    default:
      throw badValue(
        `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
      );
  }
}

function clauses(name: string, v: Elem, depth: number): Node[] {
  if (v.t !== T.array) throw badValue(`${name} must be an array`);
  const list = items(v);
  if (list.length === 0) throw badValue(`${name} argument must be a non-empty array`);
  return list.map((item) => {
    if (item.t !== T.object) throw badValue(`$or/$and/$nor entries need to be full objects`);
    return parseFilter(item, depth + 1);
  });
}

function parseField(path: Path, v: Elem, depth: number): Node {
  if (v.t === T.regex) return regexEquality(path, v);
  if (!isOperatorObject(v)) return equality(path, v);
  return parseOperators(path, v, depth);
}

/** The operators of one field: `{ $gt: 1, $lt: 5 }`. */
export function parseOperators(path: Path, v: Elem, depth: number): Node {
  const nodes: Node[] = [];
  const all = entries(v);
  for (const [name, operand] of all) {
    if (!name.startsWith('$')) throw badValue(`unknown operator: ${name}`);
    if (name === '$options') {
      if (!all.some(([other]) => other === '$regex')) throw badValue('$options needs a $regex');
      continue;
    }
    nodes.push(
      name === '$not'
        ? negated(path, operand, depth)
        : operatorNode({ path, name, operand, all, depth, parse: PARSERS }),
    );
  }
  return nodes.length === 1 ? (nodes[0] as Node) : { k: 'and', nodes };
}

const PARSERS = { filter: parseFilter, operators: parseOperators };

function negated(path: Path, v: Elem, depth: number): Node {
  if (v.t === T.regex) return { k: 'not', node: regexEquality(path, v) };
  if (v.t !== T.object) throw badValue('$not needs a regex or a document');
  if (v.b[v.s + 4] === 0) throw badValue('$not cannot be empty');
  return { k: 'not', node: parseOperators(path, v, depth + 1) };
}

/** A filter from a command, known to be an object: absent means everything. */
export const filterOf = (v: Elem | undefined): Node => (v === undefined ? { k: 'and', nodes: [] } : parseFilter(v));
