export { addPage, dissolveGroup, isWithin, movePage, removePages, replacePage, type PagePlace } from './edit-pages.js';
export {
  chainOf,
  childIds,
  deepest,
  findPage,
  findPages,
  pageAt,
  pathOf,
  rootPage,
  withDescendants,
  type Page,
} from './pages.js';
export {
  idIn,
  keys,
  type FileRecord,
  type PageAttributes,
  type PageRecord,
  type ReusableContentRecord,
} from './records.js';
export { slugOf } from './slugs.js';
