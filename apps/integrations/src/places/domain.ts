import { defineDomain } from '@scriptorium/platform';
import { knownSites } from './known-site.projection.js';
import { knownSpaces } from './known-space.projection.js';
import { siteShowings } from './site-showing.projection.js';

/** Spaces and sites, as far as integrations are installed on them. */
export const places = defineDomain({ name: 'places', projections: [knownSpaces, knownSites, siteShowings] });
