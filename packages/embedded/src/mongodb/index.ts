export { startMongoServer, type MongoServer, type MongoServerOptions } from './server.js';
