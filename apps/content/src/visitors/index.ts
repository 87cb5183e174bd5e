export { conditionsOf, findHiddenPages } from './hidden-pages.queries.js';
export { isPlain, plainReader, readerOf, seenBy, type Reader, type Variables } from './reader.js';
export { SeenContent, type ReaderView, type SeenPart } from './seen-content.process.js';
export { visibleTree } from './visible-tree.js';
