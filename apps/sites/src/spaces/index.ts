export { knownSpaces } from './known-space.projection.js';
export { requirePlaceable, titlesOf, type PlaceableSpace } from './placeable-spaces.queries.js';
