export { requireLive } from './require-live.queries.js';
