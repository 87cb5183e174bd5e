import type { Block, ContentRef, Data, Fragment, Inline, Json, Node } from '@scriptorium/rich-text';

/** A text in the data of a node; empty when there is none. */
export function textOf(data: Data, name: string): string {
  const value = data[name];
  return typeof value === 'string' ? value : '';
}

export function isRecord(value: Json | undefined): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isReference(value: Json | undefined): value is ContentRef {
  return isRecord(value) && typeof value['kind'] === 'string';
}

/** The nodes of a part of a node that has a name. */
export function partNamed({ fragments = [] }: Block | Inline, name: string): Node[] {
  return fragments.filter((part: Fragment) => (part.fragment ?? part.type) === name).flatMap(({ nodes }) => nodes);
}

/** The blocks of a type that stand directly in a node. */
export function childrenOf({ nodes = [] }: Block, type: string): Block[] {
  return nodes.filter((child): child is Block => child.object === 'block' && child.type === type);
}

/** What the service says that a reference leads to. */
export function resolvedIn(data: Data): { title: string; href: string; path: string } {
  const resolved = isRecord(data['resolved']) ? data['resolved'] : {};
  return { title: textOf(resolved, 'title'), href: textOf(resolved, 'href'), path: textOf(resolved, 'path') };
}

/** The characters of code points in hexadecimal, joined by hyphens; nothing for what is none. */
export function emojiOf(code: string): string {
  const points = code.split('-').map((part) => parseInt(part, 16));
  const isCharacter = (point: number): boolean =>
    point > 0x20 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
  return points.every(isCharacter) ? String.fromCodePoint(...points) : '';
}
