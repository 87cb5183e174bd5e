export { AssetStore } from './asset-store.process.js';
export { integrationEvents, type Demands, type Published } from './integration.events.js';
export {
  canonical,
  devModeIn,
  enableDevMode,
  endDevMode,
  integration,
  isSame,
  remove,
  unpublish,
} from './integration.js';
export { renderIntegration } from './integration.render.js';
export { integrations } from './integration.projection.js';
export {
  findByName,
  listInstallable,
  requireIntegration,
  showIntegrations,
  type Caller,
  type Showing,
  type StoredIntegration,
} from './integrations.queries.js';
export { integrationNames } from './names.reservation.js';
