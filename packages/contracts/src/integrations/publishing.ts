import * as z from 'zod';
import { Id, listOf, paging } from '../kernel/common.js';
import { operation } from '../kernel/operation.js';
import { integrationBounds } from './bounds.js';
import { IntegrationConfigurations, PropertyName } from './configuration.js';
import {
  Integration,
  IntegrationBlock,
  IntegrationCategory,
  IntegrationContentSecurityPolicy,
  IntegrationContentSource,
  IntegrationDescription,
  IntegrationExternalLinks,
  integrationParams,
  IntegrationScopeWord,
  IntegrationSummary,
  IntegrationTargetWord,
  IntegrationTitle,
  IntegrationVisibilityWord,
} from './integration.js';

const base = { service: 'integrations', tag: 'Integrations' } as const;
const params = z.object(integrationParams);
/** Whoever may know of it: anybody, unless it is private. */
const seen = ['anyone', 'guest'] as const;

/** What lists of integrations can be narrowed down to. */
export const integrationFilter = {
  search: z.string().max(100).optional().meta({ description: 'Only those whose name or title contains this.' }),
  category: IntegrationCategory.optional(),
  blockDomain: z
    .string()
    .max(100)
    .regex(/^[a-zA-Z0-9-_.]+$/)
    .optional()
    .meta({ description: 'Only those with a block for addresses of this domain.' }),
  blocks: z.boolean().optional().meta({ description: 'Only those with blocks, or only those without.' }),
  contentSources: z
    .boolean()
    .optional()
    .meta({ description: 'Only those with content sources, or only those without.' }),
  owner: Id.optional().meta({ description: 'Only those of this organization; its members see all of them.' }),
  scope: IntegrationScopeWord.optional(),
  target: IntegrationTargetWord.optional(),
};

export const listIntegrations = operation({
  ...base,
  id: 'listIntegrations',
  method: 'GET',
  path: '/integrations',
  summary: 'List the public integrations, or those of an organization, by title',
  access: {
    scope: 'integration:read',
    resource: 'installation',
    view: ['anyone'],
    allow: ['anyone'],
    withinOrganization: true,
  },
  query: z.object({ ...paging, ...integrationFilter }),
  response: listOf(Integration),
});

export const getIntegrationByName = operation({
  ...base,
  id: 'getIntegrationByName',
  method: 'GET',
  path: '/integrations/{integrationName}',
  summary: 'Get an integration',
  access: { scope: 'integration:read', resource: 'integration', view: seen, allow: seen },
  params,
  response: Integration,
});

/** Bytes as text. Their number is checked, and what they are, when they are read. */
const Base64 = (bytes: number) =>
  z
    .string()
    .max(Math.ceil(bytes / 3) * 4, `At most ${bytes} bytes, as base64`)
    .regex(/^[A-Za-z0-9+/]*={0,2}$/, 'Must be base64');

export const publishIntegration = operation({
  ...base,
  id: 'publishIntegration',
  method: 'POST',
  path: '/integrations/{integrationName}',
  summary: 'Publish an integration, or a new version of it; what is published already is no new version',
  access: {
    scope: 'integration:publish',
    resource: 'installation',
    view: ['anyone'],
    allow: ['anyone'],
    withinOrganization: true,
  },
  params,
  body: z.object({
    runtime: z.enum(['v1', 'v2']).default('v1'),
    icon: Base64(integrationBounds.iconBytes)
      .optional()
      .meta({ description: 'PNG, JPEG or WebP, as base64: at most 250 KiB.' }),
    title: IntegrationTitle,
    description: IntegrationDescription,
    summary: IntegrationSummary.default(''),
    previewImages: z
      .array(Base64(integrationBounds.previewBytes))
      .max(integrationBounds.previews)
      .default([])
      .meta({ description: 'PNG, JPEG or WebP, as base64: at most 1 MiB each.' }),
    visibility: IntegrationVisibilityWord.default('private'),
    target: IntegrationTargetWord.default('all'),
    scopes: z.array(IntegrationScopeWord),
    categories: z.array(IntegrationCategory).default([]),
    blocks: z.array(IntegrationBlock).max(integrationBounds.blocks).default([]),
    contentSources: z.array(IntegrationContentSource).max(integrationBounds.contentSources).default([]),
    externalLinks: IntegrationExternalLinks.default([]),
    configurations: IntegrationConfigurations.default({}),
    script: z.string().min(1).meta({ description: 'An ES module with a default export: at most 4 MiB.' }),
    organization: z
      .string()
      .min(1)
      .max(128)
      .meta({ description: 'The organization that publishes it: its id, or its hostname.' }),
    secrets: z
      .record(PropertyName, z.string().max(integrationBounds.secretBytes))
      .refine((secrets) => Object.keys(secrets).length <= integrationBounds.secrets, {
        message: `At most ${integrationBounds.secrets} secrets`,
      })
      .optional()
      .meta({ description: 'Given to the script, and never answered. Left out: those that it has.' }),
    contentSecurityPolicy: IntegrationContentSecurityPolicy.optional(),
  }),
  response: Integration,
  reasons: ['organization_not_found', 'name_taken', 'limit_reached', 'too_large', 'sso_required', 'conflict'],
  deadlineMs: 20_000,
});

export const rotateIntegrationSigning = operation({
  ...base,
  id: 'rotateIntegrationSigning',
  method: 'POST',
  path: '/integrations/{integrationName}/signing/rotate',
  summary: 'Give an integration other signing secrets; tokens that it and its installations have are refused',
  access: { scope: 'integration:publish', resource: 'integration', view: seen, allow: ['admin'] },
  params,
});

export const unpublishIntegration = operation({
  ...base,
  id: 'unpublishIntegration',
  method: 'DELETE',
  path: '/integrations/{integrationName}',
  summary: 'Unpublish an integration: it is uninstalled everywhere, and its name is free',
  access: { scope: 'integration:delete', resource: 'integration', view: seen, allow: ['admin'] },
  params,
});
