export { computePages, type AskedSource, type ComputedPages } from './compute-pages.process.js';
export { computedIn } from './computed-in.queries.js';
export { expandRoot } from './expand-root.process.js';
