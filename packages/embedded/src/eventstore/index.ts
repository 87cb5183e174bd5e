export { type Authentication, type ServerCredentials } from '../authentication.js';
export { type EventStoreServer, type EventStoreServerOptions, startEventStoreServer } from './server.js';
export { StoreDamaged } from './storage/damage.js';
export { type ScavengeResult } from './storage/scavenge.js';
export { verifyEventStore } from './verify.js';
export { type CheckReport, type Finding, reportLines } from '../checking/finding.js';
