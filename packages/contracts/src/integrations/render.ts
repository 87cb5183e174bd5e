import * as z from 'zod';
import { readerTokens } from '../kernel/access.js';
import { Id } from '../kernel/common.js';
import { operation } from '../kernel/operation.js';
import { integrationBounds } from './bounds.js';
import { installationParams, integrationParams } from './integration.js';
import { PropertyName } from './configuration.js';

const base = { service: 'integrations', tag: 'Integrations' } as const;
const theme = z.enum(['dark', 'light']);
const Values = z.record(z.string(), z.unknown());

/** Where a component is rendered. */
export const RenderContext = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('configuration_account'), theme, organizationId: Id }),
    z.object({ type: z.literal('configuration_space'), theme, spaceId: Id }),
    z.object({ type: z.literal('configuration_site'), theme, siteId: Id }),
    z.object({
      type: z.literal('configuration_contentsource'),
      theme,
      organizationId: Id,
      spaceId: Id.optional(),
    }),
    z.object({ type: z.literal('document'), theme, spaceId: Id, editable: z.boolean() }),
  ])
  .meta({ id: 'ContentKitContext' });
export type RenderContext = z.output<typeof RenderContext>;

/** What is rendered. The integration's own objects among `props` are filled in by the service. */
export const RenderRequest = z
  .object({
    componentId: z.string().min(1).max(100),
    props: Values,
    state: Values.optional().meta({ description: 'None from visitors of published sites.' }),
    context: RenderContext,
    action: z
      .looseObject({ action: z.string().min(1).max(100) })
      .optional()
      .meta({ description: 'From visitors of published sites none but `@link.unfurl` with a `url`.' }),
  })
  .meta({ id: 'RenderIntegrationUI' });
export type RenderRequest = z.output<typeof RenderRequest>;

/** What a component shows, or what it returns when it is done. */
export const RenderOutput = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('element'),
      element: z.looseObject({ type: z.enum(['block', 'modal', 'configuration']) }).meta({
        id: 'ContentKitRootElement',
        description: 'The elements of ContentKit, as far as they are known; others are left out.',
      }),
      state: Values,
      props: Values,
    }),
    z.object({ type: z.literal('complete'), returnValue: Values.optional() }),
  ])
  .meta({ id: 'ContentKitRenderOutput' });
export type RenderOutput = z.output<typeof RenderOutput>;

const reasons = [
  'not_found',
  'forbidden',
  'integration_failed',
  'integration_timeout',
  'integration_resting',
  'script_blocked',
  'script_out_of_memory',
  'runtime_unavailable',
] as const;

/**
 * Whoever may know of the integration. What they may see of the place is decided by the context. Visitors have blocks
 * rendered, as they open.
 */
const rendering = {
  ...base,
  path: '/integrations/{integrationName}/render',
  access: {
    tokens: readerTokens,
    scope: 'integration:read',
    resource: 'integration',
    view: ['anyone', 'guest'],
    allow: ['anyone', 'guest'],
  },
  params: z.object(integrationParams),
  response: RenderOutput,
  reasons,
  runsScript: true,
  deadlineMs: 15_000,
} as const;

export const renderIntegrationUIWithGet = operation({
  ...rendering,
  id: 'renderIntegrationUIWithGet',
  method: 'GET',
  summary: 'Render a component of an integration, where the request is compressed in the address',
  query: z.object({
    request: z
      .string()
      .min(1)
      .max(integrationBounds.renderQuery)
      .meta({ description: 'The body of the other operation as JSON, compressed by LZ-string for addresses.' }),
  }),
});

export const renderIntegrationUIWithPost = operation({
  ...rendering,
  id: 'renderIntegrationUIWithPost',
  method: 'POST',
  kind: 'read',
  summary: 'Render a component of an integration, or have it act',
  body: RenderRequest,
  bodyLimit: integrationBounds.renderBytes,
});

export const Completion = z
  .object({ id: z.string(), label: z.string() })
  .meta({ id: 'IntegrationConfigurationCompletion' });
export type Completion = z.output<typeof Completion>;

export const listConfigurationCompletions = operation({
  ...base,
  id: 'listConfigurationCompletions',
  runsScript: true,
  method: 'GET',
  path: '/integrations/{integrationName}/installations/{installationId}/completions',
  summary: 'List what the integration proposes for a property of the configuration',
  tag: 'Installations of integrations',
  access: {
    scope: 'integration:installations:read',
    resource: 'integration_installation',
    view: ['guest'],
    allow: ['create'],
  },
  params: z.object(installationParams),
  query: z.object({
    property: PropertyName.meta({ description: 'A property with `completion_url`.' }),
    search: z.string().max(200).optional(),
    space: Id.optional().meta({ description: 'The property is of the configuration of this space.' }),
    site: Id.optional().meta({ description: 'The property is of the configuration of this site.' }),
  }),
  response: z.object({ items: z.array(Completion).max(integrationBounds.completions) }),
  reasons,
  deadlineMs: 15_000,
});
