import { pickOperations } from '../kernel/operation.js';
import { defineServiceContract } from '../kernel/service-contract.js';
import * as callbacks from './callbacks.js';
import { computeContent } from './compute.js';
import * as deliveries from './deliveries.js';
import * as devMode from './dev-mode.js';
import * as failedDeliveries from './failed-deliveries.js';
import * as installations from './installations.js';
import { authenticateIntegrationToken, readIntegrationImage } from './internal.js';
import { integrationLimits } from './limits.js';
import { integrationStreams } from './public-streams.js';
import * as publishing from './publishing.js';
import * as render from './render.js';
import * as replays from './replays.js';
import * as targets from './targets.js';
import * as tasks from './tasks.js';
import * as tokens from './tokens.js';
import { findVisitorLogin } from './visitor-login.js';
import { announceVisits } from './visits.js';
import * as webhookDeliveries from './webhook-deliveries.js';
import * as webhooks from './webhooks.js';

/** Everything that crosses the border of integrations. */
export const integrationsContract = defineServiceContract({
  name: 'integrations',
  operations: pickOperations({
    ...publishing,
    ...installations,
    ...targets,
    ...tokens,
    ...callbacks,
    ...deliveries,
    ...devMode,
    ...render,
    ...tasks,
    ...webhooks,
    ...webhookDeliveries,
    ...replays,
    ...failedDeliveries,
  }),
  internal: {
    announceVisits,
    authenticateIntegrationToken,
    computeContent,
    findVisitorLogin,
    readIntegrationImage,
  },
  streams: integrationStreams,
  limits: integrationLimits,
  embeds: {},
  resourceKinds: {
    // The installation of the product.
    installation: { withinOrganization: false },
    organization: { withinOrganization: true },
    integration: { withinOrganization: true },
    integration_installation: { withinOrganization: true },
    integration_space: { withinOrganization: true },
    integration_site: { withinOrganization: true },
    integration_event: { withinOrganization: true },
  },
});
