export { isLive, requireLive } from './require-live.queries.js';
export { spaces } from './space.projection.js';
export { renderListed } from './spaces.queries.js';
