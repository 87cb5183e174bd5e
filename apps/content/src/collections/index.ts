export { getCollection, renderListedCollections } from './collections.queries.js';
