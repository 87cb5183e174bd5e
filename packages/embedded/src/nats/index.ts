export { startNatsServer, type NatsServer } from './server.js';
export { type NatsAuthentication } from './auth.js';
export { type NatsServerOptions } from './options.js';
