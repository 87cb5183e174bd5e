export { linkWithKey } from './share-key.queries.js';
