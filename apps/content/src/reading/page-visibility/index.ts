export { conditionsOf, findHiddenPages } from './hidden-pages.queries.js';
export { isPlain, plainReader, type Reader, readerOf, seenBy, type Variables } from './reader.js';
export { type ReaderView, SeenContent, type SeenPart } from './seen-content.process.js';
export { visibleTree } from './visible-tree.js';
