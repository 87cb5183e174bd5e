export {
  addPage,
  dissolveGroup,
  dropPage,
  isOrder,
  longestOrder,
  movePage,
  putPages,
  removePages,
  replacePage,
  type PagePlace,
} from './edit-pages.js';
export { countContent } from './count-content.js';
export {
  attributesOf,
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
export { idIn, keys, type PageAttributes, type PageRecord, type ReusableContentRecord } from './records.js';
export { slugFrom, slugOf } from './slugs.js';
export { variablesOf } from './variables.js';
