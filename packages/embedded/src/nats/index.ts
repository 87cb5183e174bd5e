export { startNatsServer, type NatsServer } from './server.js';
export { type NatsAuth, type NatsServerOptions } from './options.js';
