import { type Attributes, type Md } from '../syntax/md.js';
import { isKnownTag } from './tags.js';

/**
 * The tag that a `<div data-gb-custom-block data-tag="…">` is, with those inside it; `undefined` for any other element.
 */
export function customBlock(node: Md): Md | undefined {
  const { 'data-gb-custom-block': marker, 'data-tag': name, ...others } = node.attributes ?? {};
  if (node.name !== 'div' || marker === undefined || name === undefined || !isKnownTag(name)) return undefined;
  const attributes: Attributes = Object.create(null) as Attributes;
  for (const [key, value] of Object.entries(others)) attributes[key.replace(/^data-/, '')] = value;
  const children = (node.children ?? []).map((child) => customBlock(child) ?? child);
  return { type: 'container', name, attributes, value: others['data-expression'] ?? '', children };
}
