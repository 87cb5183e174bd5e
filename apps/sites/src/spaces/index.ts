export { knownSpaces } from './known-space.projection.js';
export { requirePlaceable, titlesOf } from './placeable-spaces.queries.js';
export { spaceHeads } from './space-head.projection.js';
export { spacePurge } from './content.events.js';
