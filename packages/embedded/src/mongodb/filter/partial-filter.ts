import { inspect, type Elem } from '../bson/index.js';
import { ServerError } from '../bson/errors.js';
import { parseFilter } from './parse.js';
import type { Node } from './node.js';

const MOST_LEVELS = 4;
const OPERATORS = ['$eq', '$gt', '$gte', '$lt', '$lte', '$in', '$exists', '$type'];

/**
 * Refuses what the filter of a partial index must not hold: whether a query is about nothing but the documents of the
 * index has to be seen from the two filters.
 * @throws CannotCreateIndex (67), and what parsing the filter says
 */
export function checkPartialFilter(v: Elem): void {
  check(parseFilter(v), v, 0);
}

function check(node: Node, v: Elem, level: number): void {
  if (level > MOST_LEVELS) throw new ServerError(67, `partialFilterExpression depth may not exceed ${MOST_LEVELS}`);
  switch (node.k) {
    case 'and':
    case 'or':
      for (const inner of node.nodes) check(inner, v, level + 1);
      return;
    case 'pred':
      if (OPERATORS.includes(node.op)) return;
      throw notSupported(v);
    case 'nor':
    case 'not':
      throw notSupported(v);
  }
}

const notSupported = (v: Elem): ServerError =>
  new ServerError(67, `Expression not supported in partial index: ${inspect(v)}`);
