import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { spacesAccess } from './access.js';
import { branchHeads } from './branch-head.projection.js';
import { ContentPlaces } from './content-places.queries.js';
import { mergeRules } from './merge-rules.projection.js';

/** Spaces and their content, as far as somebody writes about them. */
export const spaces = defineDomain({
  name: 'spaces',
  projections: [branchHeads, mergeRules],
  objects: () => [new ContentPlaces()],
  resolvers: ({ use }) => spacesAccess(use(ServiceAccess)),
});
