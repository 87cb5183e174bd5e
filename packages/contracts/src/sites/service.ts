import { pickOperations } from '../operation.js';
import { defineServiceContract } from '../service-contract.js';
import * as adaptiveSchema from './adaptive-schema.js';
import * as customization from './customization.js';
import * as insights from './insights.js';
import { siteLimits } from './limits.js';
import { siteStreams } from './public-streams.js';
import * as publishing from './publishing.js';
import { authenticateContentToken, issueMemberVisitorToken, lookupSpacesOnSite } from './internal.js';
import * as resolving from './publishing-resolve.js';
import * as searching from './publishing-search.js';
import * as texts from './site-texts.js';
import * as permissions from './permissions.js';
import * as published from './published.js';
import * as redirects from './redirects.js';
import * as shareLinks from './share-links.js';
import * as groups from './site-section-groups.js';
import * as sections from './site-sections.js';
import * as siteSpaces from './site-spaces.js';
import * as structure from './site-structure.js';
import * as sites from './sites.js';

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
    ...redirects,
  }),
  internal: { authenticateContentToken, issueMemberVisitorToken, lookupSpacesOnSite },
  streams: siteStreams,
  limits: siteLimits,
  embeds: {},
  resourceKinds: {
    installation: { withinOrganization: false },
    organization: { withinOrganization: true },
    site: { withinOrganization: true },
    site_part: { withinOrganization: true },
  },
});
