import * as z from 'zod';
import { readerTokens } from '../../kernel/access.js';
import { operation } from '../../kernel/operation.js';
import { reading, shareKey, siteParams, sitePath } from '../base.js';

const base = {
  service: 'sites',
  tag: 'Publishing',
  method: 'GET',
  access: { ...reading, tokens: readerTokens },
  params: z.object(siteParams),
  query: z.object(shareKey),
  response: z.string(),
} as const;

export const getSiteLlmsText = operation({
  ...base,
  id: 'getSiteLlmsText',
  path: `${sitePath}/published/llms.txt`,
  summary: 'Get the pages of a site as a list for language models, with the addresses of their markdown',
  produces: 'text/plain',
});

export const getSiteSitemap = operation({
  ...base,
  id: 'getSiteSitemap',
  path: `${sitePath}/published/sitemap.xml`,
  summary: 'Get the pages of a site as a list for search engines',
  produces: 'application/xml',
});

export const getSiteRobotsText = operation({
  ...base,
  id: 'getSiteRobotsText',
  path: `${sitePath}/published/robots.txt`,
  summary: 'Get what a site says to search engines: whether they may list it, and where its pages are listed',
  produces: 'text/plain',
});
