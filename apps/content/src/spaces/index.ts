export { isLive, requireLive } from './require-live.queries.js';
