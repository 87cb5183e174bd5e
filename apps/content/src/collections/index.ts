export { getCollection } from './collections.queries.js';
