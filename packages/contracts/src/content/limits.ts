import type { LimitDeclaration } from '../kernel/limits.js';

const GiB = 1024 ** 3;

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
  fileBytesPerOrganization: {
    preset: 50 * GiB,
    of: 'bytes of the files of an organization',
    most: 10_240 * GiB,
  },
  pagesPerSpace: { preset: 10_000, of: 'pages of a space, with groups and links', most: 100_000 },
  filesPerSpace: { preset: 20_000, of: 'files of a space', most: 200_000 },
  reusableContentsPerSpace: { preset: 2_000, of: 'reusable contents of a space', most: 20_000 },
  variablesPerSpace: { preset: 500, of: 'variables of a space, and of each of its pages', most: 5_000 },
  unusedUploadBytesPerUser: {
    preset: 5 * GiB,
    of: 'bytes of the uploads of a user in an organization that nothing uses yet, whether they have arrived or not',
    most: 10_240 * GiB,
  },
  unusedUploadsPerUser: {
    preset: 1_000,
    of: 'uploads of a user in an organization that nothing uses yet',
    most: 10_000,
  },
  openAPISpecsPerOrganization: { preset: 200, of: 'OpenAPI specifications of an organization', most: 10_000 },
  translationsPerOrganization: { preset: 500, of: 'translations of an organization', most: 10_000 },
  glossaryEntriesPerOrganization: { preset: 5_000, of: 'entries of the glossary of an organization', most: 50_000 },
} as const satisfies Readonly<Record<string, LimitDeclaration>>;
