export { getSpace } from './listing/spaces.queries.js';
export { isLive, requireLive } from './require-live.queries.js';
export { siteAddressesOf } from './sites/site-addresses.queries.js';
export { onSitesOf } from './sites/site-visibility.queries.js';
export { spaces } from './space.projection.js';
export { space, transferTo } from './space.js';
