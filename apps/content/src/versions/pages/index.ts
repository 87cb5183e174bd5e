export {
  addPage,
  dissolveGroup,
  dropPage,
  isOrder,
  longestOrder,
  movePage,
  type PagePlace,
  putPages,
  removePages,
  replacePage,
} from './edit-pages.js';
export {
  attributesOf,
  chainOf,
  childIds,
  deepest,
  findPage,
  findPages,
  type Page,
  pageAt,
  pathOf,
  rootPage,
  variablesOf,
  withDescendants,
} from './pages.js';
export {
  idIn,
  type ImportedFrom,
  keys,
  type PageAttributes,
  type PageRecord,
  type ReusableContentRecord,
} from './records.js';
export { slugFrom, slugOf } from './slugs.js';
