import type { LimitDeclaration } from '../limits.js';

/** What can grow in content. */
export const contentLimits = {
  spacesPerOrganization: {
    preset: 10_000,
    of: 'spaces of an organization, with those that can be restored',
    most: 100_000,
  },
  collectionsPerOrganization: {
    preset: 2_000,
    of: 'collections of an organization, with those that were deleted in the last seven days',
    most: 20_000,
  },
  grantsPerNode: {
    preset: 1_000,
    of: 'levels that are granted to users and teams on one space or collection',
    most: 10_000,
  },
  grantsPerOrganization: {
    preset: 100_000,
    of: 'levels that are granted to users and teams on all spaces and collections of an organization',
  },
} as const satisfies Readonly<Record<string, LimitDeclaration>>;
