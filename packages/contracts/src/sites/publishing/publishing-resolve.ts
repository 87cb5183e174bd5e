import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { anonymousOperation } from '../../kernel/operation.js';
import { VisitorType } from '../../kernel/visitor.js';

const base = { service: 'sites', tag: 'Publishing' } as const;

/** Characters of an address with its query, and so with the tokens in it. */
const longestUrl = 4_096;
/** The target of a request has no more. */
const longestInTarget = 2_048;

/** An address as a visitor asks for it. */
const publishedUrl = (longest: number) =>
  z
    .url({ protocol: /^https?$/ })
    .max(longest)
    .meta({ description: 'The address that a visitor asks for, with its query.' });
const VisitorToken = z.string().max(8192);

/** What a published address leads to. */
export const PublishedContent = z
  .object({
    organization: Id,
    site: Id,
    siteSection: Id.optional(),
    siteSpace: Id,
    space: Id,
    changeRequest: Id.optional().meta({ description: 'Of a preview of a change request.' }),
    revision: Id.optional().meta({ description: 'Of a preview of a revision.' }),
    pathname: z.string().meta({ description: 'The path of the page, with a slash at its beginning.' }),
    format: z.literal('markdown').optional().meta({ description: 'The address ends in `.md`.' }),
    basePath: z.string().meta({ description: 'Path of the space, with slashes at both ends.' }),
    siteBasePath: z.string().meta({ description: 'Path of the site, with slashes at both ends.' }),
    canonicalUrl: z.url().meta({ description: 'The address under which search engines know the page.' }),
    apiToken: z.string().meta({ description: 'A content token for reads of what the address leads to, for an hour.' }),
    shareKey: z.string().optional(),
    contextId: z
      .string()
      .optional()
      .meta({ description: 'Visitors with the same one are shown the same; absent if the visitor has no claims.' }),
    complete: z.boolean().meta({
      description:
        'Whether no longer address could name a site, section or space which this one does not: what follows is the path of a page.',
    }),
  })
  .meta({ id: 'PublishedContent' });
export type PublishedContent = z.output<typeof PublishedContent>;

/** Another address that the visitor has to go to. */
export const PublishedRedirect = z
  .object({
    target: z
      .enum(['application', 'content', 'external'])
      .meta({ description: '`content`: an address of the same site; `external`: where visitors sign in or out.' }),
    redirect: z.url(),
    permanent: z
      .literal(true)
      .optional()
      .meta({ description: 'A redirect of the site says so; absent where a page has moved, and to sign in or out.' }),
    site: Id.optional(),
  })
  .meta({ id: 'PublishedRedirect' });
export type PublishedRedirect = z.output<typeof PublishedRedirect>;

/** Seconds for which a redirect may be believed: what is published, or moved back, is found that soon. */
export const redirectMaxAgeSeconds = 2;

const result = {
  response: z.union([PublishedContent, PublishedRedirect]),
  reasons: ['not_found', 'visitor_auth_required'],
  secret: ['apiToken'],
} as const;

const Visitor = z.object({
  jwtToken: VisitorToken.optional().meta({ description: 'A token of the visitor, signed with the key of the site.' }),
  unsignedClaims: z
    .record(z.string().max(100), z.unknown())
    .optional()
    .meta({ description: 'Claims that anybody could set; the schema of the site has them under `unsigned`.' }),
  type: VisitorType.optional().meta({ description: '`human` unless given.' }),
});

export const resolvePublishedContentByUrl = anonymousOperation({
  ...base,
  ...result,
  id: 'resolvePublishedContentByUrl',
  method: 'POST',
  kind: 'read',
  path: '/urls/published',
  summary:
    'Find what a published address leads to. Needs no token; with that of a user it finds previews of what they may view, too',
  body: z.object({
    url: publishedUrl(longestUrl),
    redirectOnError: z
      .boolean()
      .optional()
      .meta({ description: 'An address that leads to nothing is answered with a redirect to the application.' }),
    visitor: Visitor.optional(),
  }),
  bodyLimit: 64 * 1024,
  // What it leads to is closed by its token; a page that has moved since is found a little later. Redirects say less.
  maxAgeSeconds: 60,
});

export const getPublishedContentByUrl = anonymousOperation({
  ...base,
  ...result,
  id: 'getPublishedContentByUrl',
  method: 'GET',
  path: '/urls/published',
  summary: 'Find what a published address leads to',
  query: z.object({
    url: publishedUrl(longestInTarget),
    visitorAuthToken: VisitorToken.optional(),
    redirectOnError: z.boolean().optional(),
  }),
  deprecated: { since: '2026-01-01', sunset: '2027-12-31', successor: '/urls/published' },
});
