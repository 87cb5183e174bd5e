export { branchEvents, type BranchEvent, type RevisionData } from './branch.events.js';
export { collectionEvents, type CollectionEvent } from './collection.events.js';
export { collectionSettingsChanged, type CollectionSettings } from './collection-settings.js';
export { libraryEvents, type LibraryEvent } from './library.events.js';
export { requestAbandonment, spacePurges } from './consumed.events.js';
export { spaceEvents, type SpaceEvent } from './space.events.js';
export { newSpace, spaceSettingsChanged, type SpaceSettings } from './space-settings.js';
