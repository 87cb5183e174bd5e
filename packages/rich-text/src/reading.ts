/**
 * What reads documents and needs neither a parser nor a writer: it loads in a fraction of the time, so that a thread
 * that only reads can begin at once.
 */
export { evaluate } from './evaluate/evaluate.js';
export { isObject, isRef } from './model/json.js';
export { type Fragment, type Node, type RichDocument } from './model/types.js';
export { anchors, resolveAnchor } from './text/anchors.js';
export { apiBlocks } from './text/api-blocks.js';
export { integrationCard } from './text/integration-blocks.js';
export { links, type FoundLink } from './text/links.js';
export { blocksIn, emojiOf, oneOf, partOf, textIn } from './text/node-data.js';
export { outline, searchSections } from './text/outline.js';
export { shownTable, type ShownColumn, type ShownTable } from './text/shown-table.js';
