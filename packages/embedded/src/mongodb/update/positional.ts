import { badValue } from '../bson/errors.js';
import { parsePath, toBson } from '../bson/index.js';
import type { Node, Pred } from '../filter/node.js';
import { conjuncts } from '../query/index-plan.js';
import { matches } from '../filter/match.js';
import { closed, type Val } from './tree.js';

/**
 * The position `$` stands for: the first element of the array at `parts` that satisfies the filter's condition on that
 * array. Throws BadValue when the filter says nothing about it.
 */
export function matchedPosition(filter: Node, parts: readonly string[], array: Val | undefined): number {
  const path = parts.join('.');
  if (array !== undefined && 'k' in array && array.k === 'arr') {
    for (const pred of flatten(filter)) {
      const inner =
        pred.path.text === path
          ? 'a'
          : pred.path.text.startsWith(`${path}.`)
            ? `a${pred.path.text.slice(path.length)}`
            : undefined;
      if (inner === undefined) continue;
      const own: Node = { ...pred, path: parsePath(inner) };
      const at = array.items.findIndex((item) =>
        matches(own, toBson({ a: pred.op === '$elemMatch' ? [closed(item)] : closed(item) })),
      );
      if (at >= 0) return at;
    }
  }
  throw badValue('The positional operator did not find the match needed from the query.');
}

const flatten = (node: Node): Pred[] =>
  conjuncts(node).flatMap((n) => (n.k === 'pred' ? [n] : n.k === 'or' ? n.nodes.flatMap(flatten) : []));
