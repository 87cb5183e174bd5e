import { API_BLOCKS } from '../model/content.js';
import { type Block, type RichDocument } from '../model/types.js';
import { walk, type AnyNode } from '../model/walk.js';

/** Whether a node is a block that shows a part of an API. */
export function isApiBlock(node: AnyNode): node is Block {
  return node.object === 'block' && API_BLOCKS.has(node.type);
}

/** The blocks of a document that show parts of APIs, in reading order. */
export function apiBlocks(document: RichDocument): Block[] {
  const found: Block[] = [];
  walk(document, (node) => {
    if (isApiBlock(node)) found.push(node);
  });
  return found;
}
