import * as z from 'zod';
import { readerTokens } from '../../kernel/access.js';
import { operation } from '../../kernel/operation.js';
import { reading, shareKey, siteParams, sitePath } from '../base.js';
import { SiteCustomization } from '../appearance/customization.js';
import { Site } from '../structure/site.js';
import { SiteStructure } from '../structure/structure.js';

export const PublishedContentSite = z
  .object({
    object: z.literal('published-content-site'),
    site: Site,
    structure: SiteStructure,
    customizations: z.object({
      site: SiteCustomization,
      siteSpaces: z
        .record(z.string(), SiteCustomization)
        .meta({ description: 'How those spaces look that override something, by the id of the site space.' }),
    }),
    scripts: z.array(
      z.object({ script: z.url(), contentSecurityPolicy: z.string().optional(), cookies: z.boolean().optional() }),
    ),
  })
  .meta({ id: 'PublishedContentSite' });
export type PublishedContentSite = z.input<typeof PublishedContentSite>;

export const getPublishedContentSite = operation({
  service: 'sites',
  tag: 'Sites',
  id: 'getPublishedContentSite',
  method: 'GET',
  path: `${sitePath}/published`,
  summary: 'Get everything that is needed to show a site',
  access: { ...reading, tokens: readerTokens },
  params: z.object(siteParams),
  query: z.object(shareKey),
  response: PublishedContentSite,
});
