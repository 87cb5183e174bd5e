export { handleInstallation } from './change-installation.process.js';
export { configureBy, readConfiguration, seenBy } from './configuration.process.js';
export { takes } from './install.process.js';
export { addTarget, changeTarget, dropTarget, installation, pause, removeTarget } from './installation.js';
export { accessOfIntegration, isItself, isOfIntegration } from './integration-caller.queries.js';
export { installationEvents, rosterEvents } from './installation.events.js';
export { installations } from './installation.projection.js';
export {
  findInstallation,
  requireInstallation,
  requirePlace,
  type FoundInstallation,
  type InstallationParams,
  type StoredInstallation,
} from './installations.queries.js';
export { close, roster, uninstall } from './roster.js';
export { declaredBy, demandsOf, showInstallations, statusOf, targetsOf } from './show-installations.queries.js';
export { entryKey, targetEntries, type TargetEntryDocument } from './target-entry.projection.js';
export { targetIn, type Target } from './target-events.js';
export { seenByUser } from './values.js';
