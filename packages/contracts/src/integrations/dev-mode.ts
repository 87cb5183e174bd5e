import * as z from 'zod';
import { Timestamp } from '../kernel/common.js';
import { operation } from '../kernel/operation.js';
import { integrationParams } from './integration.js';

const base = { service: 'integrations', tag: 'Integrations' } as const;
const path = '/integrations/{integrationName}/dev';
const params = z.object(integrationParams);
const access = {
  scope: 'integration:publish',
  resource: 'integration',
  view: ['anyone', 'guest'],
  allow: ['admin'],
} as const;

export const getIntegrationDevelopmentMode = operation({
  ...base,
  id: 'getIntegrationDevelopmentMode',
  method: 'GET',
  path,
  summary: 'Whether an integration is in development mode, and until when',
  access: { ...access, scope: 'integration:read' },
  params,
  response: z
    .object({
      enabled: z.boolean(),
      all: z.boolean().optional().meta({ description: 'Whether for installations of every organization.' }),
      until: Timestamp.optional(),
    })
    .meta({ id: 'IntegrationDevelopmentMode', description: 'The address of the developer is not shown.' }),
});

export const setIntegrationDevelopmentMode = operation({
  ...base,
  id: 'setIntegrationDevelopmentMode',
  method: 'PUT',
  path,
  summary: 'Send what an integration would get to the address of its developer, for 24 hours',
  access,
  params,
  body: z.object({
    tunnelUrl: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .meta({
        description:
          'Events are sent to `/v1` below it. A public address with https, or `http://127.0.0.1:<port>` where the API itself is reached on that machine alone.',
      }),
    all: z
      .boolean()
      .default(false)
      .meta({ description: 'Of all installations, and not only those of the organization that publishes it.' }),
  }),
  reasons: ['forbidden'],
});

export const disableIntegrationDevelopmentMode = operation({
  ...base,
  id: 'disableIntegrationDevelopmentMode',
  method: 'DELETE',
  path,
  summary: 'End the development mode of an integration',
  access,
  params,
});
