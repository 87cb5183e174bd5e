export { spaceNaming, spacePurge } from './content.events.js';
export * from './site.events.js';
