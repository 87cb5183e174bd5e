export { collection, transferTo } from './collection.js';
export { getCollection, renderListedCollections } from './collections.queries.js';
