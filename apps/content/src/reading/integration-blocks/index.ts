export { withIntegrations } from './with-integrations.process.js';
