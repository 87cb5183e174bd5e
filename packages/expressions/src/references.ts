import { type Range } from './error.js';
import { type Node, type NodeOf } from './node.js';

/** A read of the scope: the variable and the properties below it as far as they are fixed, and where it stands. */
export interface Reference extends Range {
  readonly path: readonly string[];
}

/** The path of an access made of fixed names alone. */
const fixedPath = (node: Node): readonly string[] | undefined => {
  switch (node.kind) {
    case 'variable':
      return [node.name];
    case 'chain':
      return fixedPath(node.body);
    case 'member': {
      const path = fixedPath(node.object);
      return path === undefined ? undefined : [...path, node.key];
    }
    default:
      return undefined;
  }
};

const CHILDREN: { readonly [K in Node['kind']]: (node: NodeOf<K>) => readonly Node[] } = {
  literal: () => [],
  variable: () => [],
  local: () => [],
  template: (node) => node.parts,
  array: (node) => node.items.map((item) => item.node),
  object: (node) => node.entries.flatMap(({ key, value }) => (typeof key === 'string' ? [value] : [key, value])),
  member: (node) => [node.object],
  index: (node) => [node.object, node.key],
  chain: (node) => [node.body],
  unary: (node) => [node.operand],
  binary: (node) => [node.left, node.right],
  logical: (node) => [node.left, node.right],
  conditional: (node) => [node.test, node.consequent, node.alternate],
  call: (node) => [node.receiver, ...node.args, ...(node.callback === undefined ? [] : [node.callback.body])],
};

/** What a node evaluates directly; keys and callbacks included. */
const childrenOf = (node: Node): readonly Node[] => (CHILDREN[node.kind] as (node: Node) => readonly Node[])(node);

/**
 * Every read of the scope, in source order. A read that goes on with a computed key ends before it, so a reference
 * always covers at least what is read.
 */
export const referencesOf = (node: Node): readonly Reference[] => {
  const path = fixedPath(node);
  if (path !== undefined) return [{ path, start: node.start, end: node.end }];
  return childrenOf(node).flatMap(referencesOf);
};
