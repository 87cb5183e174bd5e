export { spaceContent, spaceEntry, spaceNaming, spacePurge } from './content.events.js';
export { publishingEvents, type PublishingEvent } from './publishing.events.js';
export * from './site.events.js';
