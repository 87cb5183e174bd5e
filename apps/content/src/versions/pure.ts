// What the tasks of workers use of versions. The index loads the database with it, which no task asks.
export { givenFields, keysOfFields } from './changes/operations/front-matter-fields.js';
export { slugOf } from './pages/slugs.js';
