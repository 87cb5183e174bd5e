export { spaceNaming, spacePurge } from './content.events.js';
export { directoryEvents, siteEvents, type DirectoryEvent, type SiteEvent } from './site.events.js';
