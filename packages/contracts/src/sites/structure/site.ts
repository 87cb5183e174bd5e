import * as z from 'zod';
import { Id, Timestamp, text } from '../../kernel/common.js';
import { siteBounds } from '../bounds.js';
import { agentsContexts, siteTypes, siteVisibilities } from '../events.js';

export const SiteType = z.enum(siteTypes).meta({ id: 'SiteType' });
export const SiteVisibility = z.enum(siteVisibilities).meta({
  id: 'SiteVisibility',
  description:
    '`public`: anyone, found by search engines; `unlisted`: anyone; `share-link`: whoever has a share link; `visitor-auth`: whoever has a token of a visitor.',
});
export const AgentsContext = z.enum(agentsContexts).meta({ id: 'AgentsContext' });

/** A URL for light surroundings, and one for dark ones. */
export const ThemedUrl = z.object({ light: z.string(), dark: z.string() }).meta({ id: 'ThemedUrl' });

const reservedPaths: ReadonlySet<string> = new Set(['llms.txt', 'sitemap.xml', 'robots.txt']);

/** Whether something else than a section or a space of a site has this path. */
export function isReservedSitePath(path: string): boolean {
  return reservedPaths.has(path);
}

/** A part of the address of a site, a section or a space on it. */
export const SitePath = z
  .string()
  .min(1)
  .max(siteBounds.path)
  .regex(/^[a-z0-9][a-z0-9._-]*$/, 'Must begin with a-z or 0-9, and consist of a-z, 0-9, ., _ and -')
  .refine((path) => !isReservedSitePath(path), 'This path is reserved');

export const SiteTitle = text(2, 128);

export const SiteProxy = z
  .string()
  .max(512)
  .regex(/^([\w-]+\.)*[\w-]+\.[a-zA-Z]{2,}(\/[\w-]+)+$/, 'Must be a host and a path, such as example.com/docs');

export const SiteHostname = z
  .string()
  .max(253)
  .regex(
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?[.]){2,}[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/,
    'Must be a hostname in lower case with at least three parts',
  );

const SiteFeature = z
  .object({
    id: z.string(),
    plan: z.string(),
    frozen: z.boolean(),
    customizations: z.array(z.string()),
  })
  .meta({ id: 'SiteFeature' });

export const SitePermissions = z.object({
  view: z.boolean(),
  access: z.boolean(),
  edit: z.boolean(),
  create: z.boolean(),
  admin: z.boolean(),
  installIntegration: z.boolean(),
  viewAdaptiveSchema: z.boolean(),
  editAdaptiveSchema: z.boolean(),
});

export const Site = z
  .object({
    object: z.literal('site'),
    id: Id,
    type: SiteType,
    title: z.string(),
    icon: z.object({ icon: ThemedUrl }).optional(),
    hostname: z.string().optional().meta({ description: 'A hostname of its own.' }),
    hostnameStatus: z.enum(['pending', 'active']).optional(),
    hostnameProof: z
      .object({ type: z.literal('TXT'), name: z.string(), value: z.string() })
      .optional()
      .meta({ description: 'The DNS record that verifies the hostname, while it is pending.' }),
    basename: z.string().optional().meta({ description: 'Its path below the hostname of the organization.' }),
    proxy: z
      .object({ origin: z.string(), target: z.string() })
      .optional()
      .meta({ description: 'Where another server shows the site, and what it has to ask for that.' }),
    visibility: SiteVisibility,
    published: z.boolean(),
    siteSpaces: z.int().min(0).meta({ description: 'The number of spaces on it.' }),
    createdAt: Timestamp,
    adaptiveContent: z.object({ enabled: z.boolean() }).optional(),
    agentsContext: AgentsContext,
    features: z.array(SiteFeature),
    permissions: SitePermissions,
    urls: z.object({ location: z.url(), app: z.url(), published: z.url().optional() }),
  })
  .meta({ id: 'Site' });
export type Site = z.input<typeof Site>;
