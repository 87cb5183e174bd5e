import * as z from 'zod';
import { Id, Location, Timestamp, Url, listOf, paging } from '../../kernel/common.js';
import { openToInstallations } from '../../kernel/integration-access.js';
import { operation } from '../../kernel/operation.js';

const MiB = 1024 * 1024;

/** Bounds of specifications. They are part of the contract and the same in every installation. */
export const specBounds = {
  textBytes: 20 * MiB,
  versions: 50,
  problems: 100,
  changes: 5_000,
  /** The longest that an answer waits for processing. */
  waitSeconds: 25,
} as const;

export const SpecSlug = z
  .string()
  .max(100)
  .regex(/^[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*$/, 'Must be letters, digits and single hyphens between them')
  .meta({ description: 'Unique in the organization, in upper and lower case together.' });

export const SpecVisibility = z.enum(['private', 'public']).meta({
  id: 'OpenAPISpecVisibility',
  description: '`public`: anyone with its link can read the specification.',
});

/** Where a specification comes from. */
export const SpecSource = z
  .strictObject({
    url: Url.optional(),
    text: z.string().min(1).optional(),
    upload: z.string().min(1).max(128).optional(),
  })
  .refine(
    (given) => Object.values(given).filter((one) => one !== undefined).length === 1,
    'Must have exactly one of `url`, `text` and `upload`',
  )
  .meta({
    id: 'OpenAPISpecSource',
    description:
      '`url`: read again every six hours. `text`: the specification itself, JSON or YAML. `upload`: the key of an upload of the kind `organization_file`, whose bytes are the text.',
  });
export type SpecSource = z.output<typeof SpecSource>;

export const SpecProblem = z
  .object({
    message: z.string(),
    code: z.string(),
    severity: z.enum(['error', 'warning']),
    line: z.int().optional(),
    column: z.int().optional(),
    pointer: z.string().optional().meta({ description: 'JSON pointer in the text.' }),
  })
  .meta({ id: 'OpenAPISpecProblem' });
export type SpecProblem = z.output<typeof SpecProblem>;

export const OpenAPISpec = z
  .object({
    object: z.literal('openapi-spec'),
    id: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    slug: z.string(),
    sourceURL: z.string().optional().meta({ description: 'Only for those who may edit: it can hold a token.' }),
    processingState: z.enum(['pending', 'progress', 'complete']),
    visibility: SpecVisibility,
    lastVersion: Id.optional().meta({
      description: 'The newest version. A text that cannot be read leaves it as it is.',
    }),
    lastProcessedAt: Timestamp.optional(),
    lastProcessErrorCode: z.enum(['FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR', 'QUOTA_REACHED']).optional().meta({
      description:
        '`QUOTA_REACHED`: it was read, and there is no room for another version of it; the problem names the quota.',
    }),
    lastProcessedErrors: z.array(SpecProblem).max(specBounds.problems).optional().meta({
      description: 'What was found when it was read last, in the order of the text. Not in lists.',
    }),
    problems: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'How many were found, those included that are not listed.' }),
    nextProcessingAt: Timestamp.optional().meta({ description: 'When its URL is read again.' }),
    permissions: z.object({ view: z.boolean(), edit: z.boolean() }),
    urls: z.object({
      ...Location.shape,
      app: z.string(),
      published: Url.optional().meta({
        description:
          'Of a public specification: where everybody can read its newest version as JSON; with `.yaml` at its end, as YAML.',
      }),
    }),
  })
  .meta({ id: 'OpenAPISpec' });
export type OpenAPISpec = z.output<typeof OpenAPISpec>;

const base = { service: 'content', tag: 'OpenAPI' } as const;
const path = '/orgs/{organizationId}/openapi';
const organization = z.object({ organizationId: Id });
const params = z.object({ organizationId: Id, specSlug: SpecSlug });
const reading = openToInstallations(
  { scope: 'openapi:read', resource: 'organization', view: ['read'], allow: ['read'] },
  'openapi:read',
);
const writing = openToInstallations(
  { scope: 'openapi:write', resource: 'organization', view: ['read'], allow: ['create'] },
  'openapi:write',
);
const bodyLimit = 26 * MiB;
/** Texts are stored and the answer can wait, so that there is time for both. */
const waiting = { waitsSeconds: specBounds.waitSeconds, deadlineMs: (specBounds.waitSeconds + 10) * 1_000 } as const;

export const listOpenAPISpecs = operation({
  ...base,
  id: 'listOpenAPISpecs',
  method: 'GET',
  path,
  summary: 'List the OpenAPI specifications of an organization, the newest first',
  access: reading,
  params: organization,
  query: z.object({ ...paging, visibility: SpecVisibility.optional() }),
  response: listOf(OpenAPISpec),
});

export const createOpenAPISpec = operation({
  ...base,
  id: 'createOpenAPISpec',
  method: 'POST',
  path,
  summary: 'Create an OpenAPI specification; it is read in the background',
  ...waiting,
  access: writing,
  params: organization,
  body: z.object({ slug: SpecSlug, source: SpecSource }),
  bodyLimit,
  response: OpenAPISpec,
  status: 201,
  reasons: ['conflict', 'limit_reached', 'too_large'],
});

export const getOpenAPISpecBySlug = operation({
  ...base,
  id: 'getOpenAPISpecBySlug',
  method: 'GET',
  path: `${path}/{specSlug}`,
  summary: 'Get an OpenAPI specification',
  access: reading,
  params,
  response: OpenAPISpec,
});

export const createOrUpdateOpenAPISpecBySlug = operation({
  ...base,
  id: 'createOrUpdateOpenAPISpecBySlug',
  method: 'PUT',
  path: `${path}/{specSlug}`,
  summary: 'Give an OpenAPI specification another source, or create it; it is read in the background',
  ...waiting,
  mayCreate: true,
  rate: 'spec-write',
  access: writing,
  params,
  body: z.object({ source: SpecSource }),
  bodyLimit,
  response: OpenAPISpec,
  reasons: ['conflict', 'limit_reached', 'too_large'],
});

export const updateOpenAPISpecBySlug = operation({
  ...base,
  id: 'updateOpenAPISpecBySlug',
  method: 'PATCH',
  path: `${path}/{specSlug}`,
  summary: 'Change who may read an OpenAPI specification',
  access: writing,
  params,
  body: z.object({ visibility: SpecVisibility.optional() }),
  response: OpenAPISpec,
});

export const deleteOpenAPISpecBySlug = operation({
  ...base,
  id: 'deleteOpenAPISpecBySlug',
  method: 'DELETE',
  path: `${path}/{specSlug}`,
  summary: 'Delete an OpenAPI specification with all its versions',
  access: writing,
  params,
});
