export { type AskedSource, type ComputedPages, computePages } from './compute-pages.process.js';
export { computedIn } from './computed-in.queries.js';
export { expandRoot } from './expand-root.process.js';
