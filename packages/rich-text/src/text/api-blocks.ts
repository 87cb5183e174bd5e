import { type Block, type RichDocument } from '../model/types.js';
import { walk } from '../model/walk.js';

const TYPES = new Set(['swagger', 'openapi-operation', 'openapi-schemas', 'openapi-webhook']);

/** The blocks of a document that show parts of APIs, in reading order. */
export function apiBlocks(document: RichDocument): Block[] {
  const found: Block[] = [];
  walk(document, (node) => {
    if (node.object === 'block' && TYPES.has(node.type)) found.push(node);
  });
  return found;
}
