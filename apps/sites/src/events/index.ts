export { spaceNaming, spacePurge } from './content.events.js';
export { publishingEvents, type PublishingEvent } from './publishing.events.js';
export { directoryEvents, siteEvents, type DirectoryEvent, type SiteEvent } from './site.events.js';
