import * as z from 'zod';
import { operation } from '../kernel/operation.js';
import { installationParams } from './integration.js';

const base = { service: 'integrations', tag: 'Installations of integrations' } as const;
const path = '/integrations/{integrationName}/installations/{installationId}';
const params = z.object(installationParams);

export const rotateInstallationSigning = operation({
  ...base,
  id: 'rotateInstallationSigning',
  method: 'POST',
  path: `${path}/signing/rotate`,
  summary: 'Give an installation other signing secrets; tokens that it has are refused',
  access: {
    scope: 'integration:installations:write',
    resource: 'integration_installation',
    view: ['guest'],
    allow: ['admin'],
  },
  params,
});

export const createInstallationToken = operation({
  ...base,
  id: 'createInstallationToken',
  method: 'POST',
  path: `${path}/tokens`,
  summary: 'Get a token of an installation, for the integration itself; the same one within half an hour',
  access: {
    tokens: ['integration'],
    resource: 'integration_installation',
    view: ['integration'],
    allow: ['integration'],
  },
  params,
  response: z.object({ token: z.string() }),
  secret: ['token'],
});
