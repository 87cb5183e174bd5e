export { knownSpaces } from './known-space.projection.js';
export { requirePlaceable, titlesOf } from './placeable-spaces.queries.js';
