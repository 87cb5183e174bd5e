export { mongoBlobs, type MongoOptions } from './mongodb/mongo-blobs.js';
