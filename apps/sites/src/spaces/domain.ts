import { defineDomain } from '@scriptorium/platform';
import { knownSpaces } from './known-space.projection.js';
import { spaceHeads } from './space-head.projection.js';

/** Spaces, as far as sites show them. */
export const spaces = defineDomain({ name: 'spaces', projections: [knownSpaces, spaceHeads] });
