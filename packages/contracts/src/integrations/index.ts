export * from './bounds.js';
export * from './callbacks.js';
export * from './compute.js';
export * from './configuration.js';
export * from './deliveries.js';
export * from './dev-mode.js';
export * from './endpoints.js';
export { installationEventSchemas, installationsEventSchemas, integrationEventSchemas } from './events.js';
export * from './failed-deliveries.js';
export {
  type IntegrationInstallation,
  type IntegrationSiteInstallation,
  type IntegrationSpaceInstallation,
} from './installation.js';
export * from './installations.js';
export { type Integration, type IntegrationBlock, type IntegrationContentSecurityPolicy } from './integration.js';
export * from './internal.js';
export * from './limits.js';
export * from './policy-text.js';
export * from './publishing.js';
export * from './render.js';
export * from './replays.js';
export { integrationsContract } from './service.js';
export * from './targets.js';
export * from './tasks.js';
export * from './tokens.js';
export * from './visitor-login.js';
export * from './visits.js';
export * from './webhook-deliveries.js';
export * from './webhook-events.js';
export * from './webhooks.js';
export * from './words.js';
