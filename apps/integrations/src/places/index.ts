export { knownSites } from './known-site.projection.js';
export { knownSpaces } from './known-space.projection.js';
export * from './places.events.js';
export { siteShowings, type SiteShowingDocument } from './site-showing.projection.js';
export { isThere, levelOn, placesIn, type TargetKind } from './places.queries.js';
