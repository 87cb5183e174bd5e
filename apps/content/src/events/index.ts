export { libraryEvents, type LibraryEvent } from './library.events.js';
export { spaceEvents, type SpaceEvent } from './space.events.js';
export { newSpace, spaceSettingsChanged, type SpaceSettings } from './space-settings.js';
