import type { LimitDeclaration } from '../kernel/limits.js';

/** What can grow in sites. */
export const siteLimits = {
  sitesPerOrganization: { preset: 500, of: 'sites of an organization', most: 5_000 },
  sectionsPerSite: { preset: 200, of: 'sections of a site', most: 1_000 },
  sectionGroupsPerSite: { preset: 100, of: 'section groups of a site', most: 500 },
  siteSpacesPerSite: { preset: 500, of: 'spaces on a site', most: 2_000 },
  grantsPerSite: {
    preset: 1_000,
    of: 'levels that are granted to users and teams on one site',
    most: 5_000,
  },
  redirectsPerSite: { preset: 5_000, of: 'redirects of a site', most: 50_000 },
  shareLinksPerSite: { preset: 100, of: 'share links of a site', most: 500 },
} as const satisfies Readonly<Record<string, LimitDeclaration>>;
