export { createGateway, type Gateway } from './create.js';
export { readConfig, type GatewayConfig } from './config.js';
export { createRecentWrites } from './services/client.js';
