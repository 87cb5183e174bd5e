import { publicStream } from '../kernel/public-streams.js';
import {
  publishingEventSchemas,
  siteCustomizationEventSchemas,
  siteDirectoryEventSchemas,
  siteEventSchemas,
  siteRedirectEventSchemas,
} from './events.js';
import { getSiteById } from './structure/sites.js';

const base = { service: 'sites', shownBy: getSiteById } as const;
const { SiteAdded, SiteDeleted } = siteDirectoryEventSchemas;

/** Streams of sites whose events audit and change feed tell. */
export const siteStreams = [
  publicStream({
    ...base,
    entity: 'directory',
    schemas: { SiteAdded, SiteDeleted },
    ends: ['SiteDeleted'],
    target: { object: 'site', idIn: 'site' },
  }),
  publicStream({
    ...base,
    entity: 'site',
    schemas: siteEventSchemas,
    // A site exists from `SiteAdded` on.
    untold: ['SiteCreated'],
    target: { object: 'site' },
  }),
  publicStream({
    ...base,
    entity: 'publishing',
    schemas: publishingEventSchemas,
    target: { object: 'site' },
  }),
  publicStream({
    ...base,
    entity: 'customization',
    schemas: siteCustomizationEventSchemas,
    target: { object: 'site', idIn: 'site' },
  }),
  publicStream({
    ...base,
    entity: 'redirects',
    schemas: siteRedirectEventSchemas,
    target: { object: 'site' },
  }),
];
