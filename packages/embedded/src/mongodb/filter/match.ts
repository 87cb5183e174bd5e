import { items, T, visit, type Elem } from '../bson/index.js';
import type { Node, Pred } from './node.js';

/** Whether a document satisfies a filter. */
export const matches = (node: Node, doc: Buffer): boolean =>
  evaluate(node, (p) => visit(doc, 0, p.path, (v) => testLeaf(p, v)));

/** The same for an object inside a document, as `$elemMatch` asks. */
export const matchesObject = (node: Node, v: Elem): boolean =>
  evaluate(node, (p) => visit(v.b, v.s, p.path, (leaf) => testLeaf(p, leaf)));

/** Whether one array element itself (not what it may contain) satisfies operators written for values. */
export const matchesValue = (node: Node, v: Elem): boolean => evaluate(node, (p) => p.test(v));

function testLeaf(p: Pred, v: Elem | undefined): boolean {
  if (p.test(v)) return true;
  return p.each && v?.t === T.array && items(v).some(p.test);
}

function evaluate(node: Node, test: (p: Pred) => boolean): boolean {
  switch (node.k) {
    case 'pred':
      return test(node);
    case 'and':
      return node.nodes.every((n) => evaluate(n, test));
    case 'or':
      return node.nodes.some((n) => evaluate(n, test));
    case 'nor':
      return !node.nodes.some((n) => evaluate(n, test));
    case 'not':
      return !evaluate(node.node, test);
  }
}
