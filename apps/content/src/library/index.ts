export { getCollection } from './collections/index.js';
export {
  findNode,
  inLiveSpace,
  library,
  libraryEvents,
  moveBeside,
  requireNode,
  requirePlace,
  viewNode,
} from './nodes/index.js';
export { findSpecHead, findSpecHeads, readFormPart, type SpecHead } from './openapi/index.js';
export {
  createResult,
  followSource,
  getSpace,
  inWritableSpace,
  isLive,
  onSitesOf,
  release,
  requireLive,
  requireWritable,
  siteAddressesOf,
  space,
  spaceEvents,
  spaces,
  type AccessPart,
} from './spaces/index.js';
