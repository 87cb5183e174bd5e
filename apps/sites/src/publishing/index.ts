export { canonicalParts } from './locate-in-site.js';
export { shownToVisitor } from './shown-to-visitor.queries.js';
