import * as z from 'zod';
import { Id, Location, Timestamp, Url, listOf, paging } from '../../kernel/common.js';
import { operation } from '../../kernel/operation.js';
import { SpecSlug, specBounds } from './specs.js';

export const OpenAPISpecVersion = z
  .object({
    object: z.literal('openapi-spec-version'),
    id: Id,
    createdAt: Timestamp,
    operations: z.int().min(0),
    schemas: z.int().min(0),
    problems: z.int().min(0),
    bytes: z.int().min(0).meta({ description: 'Bytes of the whole specification as JSON.' }),
    hash: z.string().meta({ description: 'SHA-256 of the whole specification as JSON.' }),
    changes: z
      .object({ added: z.int(), changed: z.int(), removed: z.int(), breaking: z.int() })
      .optional()
      .meta({ description: 'Operations and schemas that differ from the version before.' }),
    url: Url.optional().meta({
      description:
        'Where the whole of it can be read for at least an hour. Absent when its content is not kept any more.',
    }),
    urls: Location,
  })
  .meta({ id: 'OpenAPISpecVersion' });
export type OpenAPISpecVersion = z.output<typeof OpenAPISpecVersion>;

export const OpenAPISpecChange = z
  .object({
    kind: z.enum(['operation', 'webhook', 'schema']),
    change: z.enum(['added', 'removed', 'changed']),
    breaking: z.boolean().meta({ description: 'Whether a client that was written for the old version can fail.' }),
    method: z.string().optional(),
    path: z.string().optional().meta({ description: 'The path of an operation, the name of a webhook.' }),
    name: z.string().optional().meta({ description: 'The name of a schema.' }),
    what: z.array(z.string()).meta({ description: 'What changed, first what is breaking.' }),
  })
  .meta({ id: 'OpenAPISpecChange' });
export type OpenAPISpecChange = z.output<typeof OpenAPISpecChange>;

const base = { service: 'content', tag: 'OpenAPI' } as const;
const path = '/orgs/{organizationId}/openapi/{specSlug}/versions';
const access = { scope: 'openapi:read', resource: 'organization', view: ['read'], allow: ['read'] } as const;
const params = z.object({ organizationId: Id, specSlug: SpecSlug });
const one = z.object({ ...params.shape, versionId: Id });
/** Reads and compares whole specifications. */
const deadlineMs = 30_000;

export const listOpenAPISpecVersions = operation({
  ...base,
  id: 'listOpenAPISpecVersions',
  method: 'GET',
  path,
  summary: 'List the versions of an OpenAPI specification, the newest first',
  access,
  params,
  query: z.object(paging),
  response: listOf(OpenAPISpecVersion),
});

export const getLatestOpenAPISpecVersion = operation({
  ...base,
  id: 'getLatestOpenAPISpecVersion',
  method: 'GET',
  path: `${path}/latest`,
  summary: 'Get the newest version of an OpenAPI specification',
  access,
  params,
  response: OpenAPISpecVersion,
});

export const getOpenAPISpecVersionById = operation({
  ...base,
  id: 'getOpenAPISpecVersionById',
  method: 'GET',
  path: `${path}/{versionId}`,
  summary: 'Get a version of an OpenAPI specification',
  access,
  params: one,
  response: OpenAPISpecVersion,
});

export const OpenAPISpecContent = z
  .object({
    filesystem: z
      .record(z.string(), z.object({ url: Url, bytes: z.int().min(0), hash: z.string() }))
      .meta({ description: 'Its files by name. References to other documents are resolved, so that it is one.' }),
    url: Url.meta({
      description: 'Where the whole of it can be read for at least an hour, by whoever has the address.',
    }),
    urls: z.object({
      source: Url.meta({ description: 'The same as `url`.' }),
      public: Url.nullable().meta({ description: 'The address of the newest version of a public specification.' }),
    }),
  })
  .meta({ id: 'OpenAPISpecContent', description: 'OpenAPI 3.1 in JSON, without what is marked as internal.' });
export type OpenAPISpecContent = z.output<typeof OpenAPISpecContent>;

const OpenAPISpecRawContent = z
  .object({
    text: z.string(),
    format: z.enum(['json', 'yaml']),
  })
  .meta({ id: 'OpenAPISpecRawContent', description: 'The text as it came, with what is marked as internal.' });

const ofContent = { access, reasons: ['gone'], deadlineMs } as const;
/** It may have what is marked as internal, so it is for those who may have given it. */
const ofText = { ...ofContent, access: { ...access, allow: ['create'] } } as const;

export const getOpenAPISpecVersionContentById = operation({
  ...base,
  ...ofContent,
  id: 'getOpenAPISpecVersionContentById',
  method: 'GET',
  path: `${path}/{versionId}/content`,
  summary: 'Get where the content of a version of an OpenAPI specification can be read',
  params: one,
  response: OpenAPISpecContent,
});

export const getLatestOpenAPISpecVersionContent = operation({
  ...base,
  ...ofContent,
  id: 'getLatestOpenAPISpecVersionContent',
  method: 'GET',
  path: `${path}/latest/content`,
  summary: 'Get where the content of the newest version of an OpenAPI specification can be read',
  params,
  response: OpenAPISpecContent,
});

export const getOpenAPISpecVersionContentRawById = operation({
  ...base,
  ...ofText,
  id: 'getOpenAPISpecVersionContentRawById',
  method: 'GET',
  path: `${path}/{versionId}/content/raw`,
  summary: 'Get the text that a version of an OpenAPI specification was made of, as it came',
  params: one,
  response: OpenAPISpecRawContent,
});

export const getLatestOpenAPISpecVersionContentRaw = operation({
  ...base,
  ...ofText,
  id: 'getLatestOpenAPISpecVersionContentRaw',
  method: 'GET',
  path: `${path}/latest/content/raw`,
  summary: 'Get the text that the newest version of an OpenAPI specification was made of, as it came',
  params,
  response: OpenAPISpecRawContent,
});

export const listOpenAPISpecVersionChanges = operation({
  ...base,
  id: 'listOpenAPISpecVersionChanges',
  method: 'GET',
  path: `${path}/{versionId}/changes`,
  summary: 'List what differs between two versions of an OpenAPI specification, and what can break clients',
  access,
  params: one,
  query: z.object({ from: Id.optional().meta({ description: 'The version before unless given.' }) }),
  response: z
    .object({
      items: z.array(OpenAPISpecChange).max(specBounds.changes),
      count: z.int().min(0).meta({ description: 'All changes, those included that are not listed.' }),
      breaking: z.int().min(0),
      from: Id.optional(),
      to: Id,
    })
    .meta({ id: 'OpenAPISpecChanges' }),
  reasons: ['gone'],
  deadlineMs,
});
