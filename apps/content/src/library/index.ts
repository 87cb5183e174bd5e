export { getCollection } from './collections/index.js';
export { findNode, inLiveSpace, libraryEvents, requireNode, requirePlace, viewNode } from './nodes/index.js';
export { findSpecHead, findSpecHeads, readFormPart, type SpecHead } from './openapi/index.js';
export { getSpace, isLive, onSitesOf, requireLive, siteAddressesOf, spaces } from './spaces/index.js';
