export { type EventStoreServer, type EventStoreServerOptions, startEventStoreServer } from './server.js';
export { StoreDamaged } from './storage/damage.js';
export { type ScavengeResult } from './storage/scavenge.js';
