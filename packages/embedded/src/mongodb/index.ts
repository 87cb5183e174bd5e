export { startMongoServer, type MongoServer, type MongoServerOptions } from './server.js';
export { verifyMongo } from './verify.js';
