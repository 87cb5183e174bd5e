export { branchHeads } from './branch-head.projection.js';
export { ContentPlaces } from './content-places.queries.js';
export { accessToPart, requireSpace, viewableSpaces, viewSpace, type ViewedSpace } from './space-viewer.queries.js';
export { mergeRules } from './merge-rules.projection.js';
export { viewersOf } from './viewers.queries.js';
export { abandonment, branchEvents, spacePurge, spaceTransfer, spaceAddition } from './content.events.js';
