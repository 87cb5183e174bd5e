export { createResult } from './creation/create-result.process.js';
export { getSpace } from './listing/spaces.queries.js';
export { inWritableSpace, isLive, requireLive, requireWritable } from './require-live.queries.js';
export { siteAddressesOf } from './sites/site-addresses.queries.js';
export { onSitesOf } from './sites/site-visibility.queries.js';
export { spaces } from './space.projection.js';
export { type AccessPart } from './follow-access.js';
export { followSource, release, space, transferTo } from './space.js';
export { spaceEvents } from './space.events.js';
