export { knownSites } from './known-site.projection.js';
export { knownSpaces } from './known-space.projection.js';
export * from './places.events.js';
export { isThere, levelOn, placesIn, type TargetKind } from './places.queries.js';
