export { createGateway, type Gateway, type GatewayOptions } from './create.js';
export { gatewayConfig, gatewaySettings, readConfig, type GatewayConfig, type GatewaySettings } from './config.js';
export { createAuthenticator, type Authenticator } from './auth/authenticator.js';
export { createSessionCookie, type SessionCookie } from './auth/session-cookie.js';
export { answerOddExchanges, serverOptions } from './http/server-options.js';
export { gatewayPlugin, type GatewayDeps } from './plugin.js';
export type { Logger, Observe, Requester } from './ports.js';
export { createCounting, type Counting } from './rates/counting.js';
