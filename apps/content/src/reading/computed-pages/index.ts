export { type AskedSource, type ComputedPages } from './asked-source.js';
export { computePages } from './compute-pages.process.js';
export { computedIn } from './computed-in.queries.js';
export { expandRoot } from './expand-root.process.js';
