import { type Block, type Data, type Fragment, type Inline, type Node } from '../model/types.js';

/** A text in the data of a node; empty when there is none. */
export function textIn(data: Data, name: string): string {
  const value = data[name];
  return typeof value === 'string' ? value : '';
}

/** A text in the data of a node that is one of these names; `undefined` for anything else. */
export function oneOf<T extends string>(data: Data, name: string, names: readonly T[]): T | undefined {
  return names.find((one) => one === data[name]);
}

/** The nodes of a named part of a node. */
export function partOf(node: Block | Inline, name: string): Node[] {
  const isNamed = (part: Fragment): boolean => (part.fragment ?? part.type) === name;
  return (node.fragments ?? []).filter(isNamed).flatMap(({ nodes }) => nodes);
}

/** The blocks of a type that stand directly in a node. */
export function blocksIn(node: Block, type: string): Block[] {
  return (node.nodes ?? []).filter((child): child is Block => child.object === 'block' && child.type === type);
}

/** The characters of code points in hexadecimal, joined by hyphens; nothing for what is none. */
export function emojiOf(code: string): string {
  const points = code.split('-').map((part) => parseInt(part, 16));
  const isCharacter = (point: number): boolean =>
    point > 0x20 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
  return points.every(isCharacter) ? String.fromCodePoint(...points) : '';
}
