import { pickOperations } from '../kernel/operation.js';
import { defineServiceContract } from '../kernel/service-contract.js';
import * as adaptiveSchema from './publishing/adaptive-schema.js';
import * as customization from './appearance/customization.js';
import * as insights from './publishing/insights.js';
import { siteLimits } from './limits.js';
import { siteStreams } from './public-streams.js';
import * as publishing from './publishing/publishing.js';
import { authenticateContentToken, issueMemberVisitorToken, lookupSites, lookupSpacesOnSite } from './internal.js';
import * as resolving from './publishing/publishing-resolve.js';
import * as searching from './publishing/publishing-search.js';
import * as texts from './appearance/site-texts.js';
import * as permissions from './publishing/permissions.js';
import * as published from './publishing/published.js';
import * as publishedPdf from './publishing/published-pdf.js';
import * as redirects from './publishing/redirects.js';
import * as shareLinks from './publishing/share-links.js';
import * as groups from './structure/site-section-groups.js';
import * as sections from './structure/site-sections.js';
import * as siteSpaces from './structure/site-spaces.js';
import * as structure from './structure/site-structure.js';
import * as sites from './structure/sites.js';

/** Everything that crosses the border of sites. */
export const sitesContract = defineServiceContract({
  name: 'sites',
  operations: pickOperations({
    ...sites,
    ...structure,
    ...siteSpaces,
    ...sections,
    ...groups,
    ...shareLinks,
    ...adaptiveSchema,
    ...publishing,
    ...resolving,
    ...searching,
    ...texts,
    ...insights,
    ...customization,
    ...permissions,
    ...published,
    ...publishedPdf,
    ...redirects,
  }),
  internal: { authenticateContentToken, issueMemberVisitorToken, lookupSites, lookupSpacesOnSite },
  streams: siteStreams,
  limits: siteLimits,
  embeds: { site: lookupSites },
  resourceKinds: {
    installation: { withinOrganization: false },
    organization: { withinOrganization: true },
    site: { withinOrganization: true },
    site_part: { withinOrganization: true },
  },
});
