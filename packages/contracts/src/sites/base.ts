import * as z from 'zod';
import { Id } from '../kernel/common.js';
import { openToInstallations } from '../kernel/integration-access.js';
import { siteBounds } from './bounds.js';

export const orgParams = z.object({ organizationId: Id });
export const siteParams = { organizationId: Id, siteId: Id };
export const sitePath = '/orgs/{organizationId}/sites/{siteId}';

/** Whoever may read the site. */
export const reading = { scope: 'site:read', resource: 'site', view: ['read'], allow: ['read'] } as const;
/** And installations that may read what a site is. */
export const readingMetadata = openToInstallations(reading, 'site:metadata:read');
/** Whoever may create there: they change what stands on the site. */
export const structuring = { scope: 'site:write', resource: 'site', view: ['read'], allow: ['create'] } as const;
/** Admins of the site: they change its settings. */
export const administering = { scope: 'site:write', resource: 'site', view: ['read'], allow: ['admin'] } as const;
/** For what a path names within a site: the site has to be visible. */
export const part = { resource: 'site_part' } as const;

/** Query with the key of a share link, with which published addresses are answered. */
export const shareKey = {
  shareKey: z
    .string()
    .max(128)
    .optional()
    .meta({ description: 'The key of a share link of the site: published addresses have it then.' }),
};

/** An expression that tells whom something is shown to. */
export const Condition = z.string().max(siteBounds.condition);
/** The name of an icon. */
export const SiteIconName = z
  .string()
  .max(50)
  .regex(/^[a-z0-9-]{1,50}$/, 'Must consist of a-z, 0-9 and -');
