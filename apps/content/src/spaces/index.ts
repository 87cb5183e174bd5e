export { isLive, requireLive } from './require-live.queries.js';
export { spaces } from './space.projection.js';
export { onSitesOf } from './site-visibility.queries.js';
export { siteAddressesOf } from './site-addresses.queries.js';
export { space, transferTo } from './space.js';
export { getSpace, renderListed } from './spaces.queries.js';
