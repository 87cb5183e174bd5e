import * as z from 'zod';
import { Id } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { administering, reading, siteParams, sitePath } from '../base.js';
import { authBackends } from '../events.js';
import { VisitorUrl } from '../visitor-url.js';

const base = { service: 'sites', tag: 'Publishing' } as const;
const params = z.object(siteParams);
const path = `${sitePath}/publishing/auth`;
const changing = { ...administering, scope: 'site:auth:write' } as const;

export const PublishingAuth = z
  .object({
    object: z.literal('publishing-auth'),
    backend: z.enum(authBackends).meta({ description: '`integration`: an integration signs visitors in.' }),
    integration: z.string().optional().meta({ description: 'The name of the integration that signs visitors in.' }),
    privateKey: z.string().optional().meta({
      description:
        'Signs tokens of visitors (HS256): the key is the UTF-8 bytes of this text. It counts while no integration signs visitors in. Not answered again to a repeated request.',
    }),
    previousKeyUntil: z.iso
      .datetime()
      .optional()
      .meta({ description: 'Until when tokens that the key before this one has signed are accepted.' }),
    fallbackURL: z.url().optional(),
    logoutURL: z.url().optional(),
  })
  .meta({ id: 'PublishingAuth' });
export type PublishingAuth = z.input<typeof PublishingAuth>;

const secret = ['privateKey'];

export const getSitePublishingAuthById = operation({
  ...base,
  id: 'getSitePublishingAuthById',
  method: 'GET',
  path,
  summary: 'Get how visitors of a site prove who they are, with the key that signs their tokens',
  access: { ...administering, scope: 'site:auth:read' },
  params,
  response: PublishingAuth,
  secret,
});

export const updateSitePublishingAuthById = operation({
  ...base,
  id: 'updateSitePublishingAuthById',
  method: 'PATCH',
  path,
  summary: 'Change how visitors of a site prove who they are',
  access: changing,
  params,
  body: z.object({
    backend: z.enum(authBackends).optional(),
    integration: z.string().min(1).max(100).optional().meta({
      description:
        'The name of an integration that is installed on the site and has the scope `site:visitor:auth`; with the backend `integration`.',
    }),
    fallbackURL: VisitorUrl.nullable()
      .optional()
      .meta({ description: 'Where visitors without a token are sent to, with `location` in the query.' }),
    logoutURL: VisitorUrl.nullable().optional().meta({ description: 'Where visitors are sent to who sign out.' }),
  }),
  response: PublishingAuth,
  secret,
});

export const regenerateSitePublishingAuthById = operation({
  ...base,
  id: 'regenerateSitePublishingAuthById',
  method: 'POST',
  path: `${path}/regenerate`,
  summary: 'Replace the key that signs tokens of visitors; the old one is refused at once',
  access: changing,
  params,
  response: PublishingAuth,
  secret,
  dryRun: false,
});

export const rotateSiteVisitorKey = operation({
  ...base,
  id: 'rotateSiteVisitorKey',
  method: 'POST',
  path: `${sitePath}/visitor-auth/rotate`,
  summary: 'Replace the key that signs tokens of visitors; the old one is good for another 24 hours',
  access: changing,
  params,
  query: z.object({ now: z.boolean().default(false).meta({ description: 'The old key is refused at once.' }) }),
  response: PublishingAuth,
  secret,
  dryRun: false,
});

/** Claims as JSON, at most so long. */
const longestClaims = 2_000;
const ClaimsText = z
  .string()
  .max(longestClaims)
  .refine(isObjectText, 'Must be a JSON object')
  .meta({ description: 'Claims of the visitor as a JSON object; those that the schema of the site declares count.' });

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

export const getSitePublishingPreviewById = operation({
  ...base,
  id: 'getSitePublishingPreviewById',
  method: 'GET',
  path: `${sitePath}/publishing/preview`,
  summary:
    'Get an address that shows a site for an hour as a visitor with these claims sees it, published or not; with the content of a change request or revision, if one is named',
  access: reading,
  params,
  query: z
    .object({
      siteSpace: Id,
      claims: ClaimsText.optional(),
      changeRequest: Id.optional().meta({ description: 'A change request of the space, by its id or number.' }),
      revision: Id.optional().meta({ description: 'A revision of the space.' }),
    })
    .refine(({ changeRequest, revision }) => changeRequest === undefined || revision === undefined, {
      path: ['revision'],
      message: 'A preview is of a change request or of a revision',
    }),
  response: z.object({ url: z.url() }),
});
