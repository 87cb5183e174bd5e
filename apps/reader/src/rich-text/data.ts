import type { Block, ContentRef, Data, Fragment, Inline, Json, Node } from '@scriptorium/rich-text';

/** A text in the data of a node; empty when there is none. */
export function textIn(data: Data, name: string): string {
  const value = data[name];
  return typeof value === 'string' ? value : '';
}

/** A text in the data of a node that is one of these names; `undefined` for anything else. */
export function oneOf<T extends string>(data: Data, name: string, names: readonly T[]): T | undefined {
  return names.find((one) => one === data[name]);
}

export function isObject(value: Json | undefined): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isRef(value: Json | undefined): value is ContentRef {
  return isObject(value) && typeof value['kind'] === 'string';
}

/** The nodes of a named part of a node. */
export function partOf(node: Block | Inline, name: string): Node[] {
  const isNamed = (part: Fragment): boolean => (part.fragment ?? part.type) === name;
  return (node.fragments ?? []).filter(isNamed).flatMap(({ nodes }) => nodes);
}

/** The blocks in a node that have this type. */
export function blocksIn(node: Block, type: string): Block[] {
  return (node.nodes ?? []).filter((child): child is Block => child.object === 'block' && child.type === type);
}
