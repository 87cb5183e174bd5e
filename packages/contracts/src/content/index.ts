export * from './embeds.js';
export * from './events.js';
export * from './grants.js';
export * from './internal.js';
export * from './limits.js';
export { contentContract } from './service.js';
export * from './space-grants.js';
export * from './space.js';
export * from './spaces.js';
