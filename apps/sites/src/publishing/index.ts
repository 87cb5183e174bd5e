export { canonicalAddresses } from './lookup/locate-in-site.js';
export { shownToVisitor } from './lookup/shown-to-visitor.queries.js';
