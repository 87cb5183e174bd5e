export { deleteSpace, restore, restoredPlace } from './deletion.js';
export { library, nodeIn } from './library.js';
export {
  nodeResourceAccess,
  partResourceAccess,
  requireNode,
  viewNode,
  type ViewedNode,
} from './node-viewer.queries.js';
export { addSpace } from './place.js';
export { purgeNext } from './purge.run.js';
