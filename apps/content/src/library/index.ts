export { deleteCollection, deleteSpace, restore, restoredPlace } from './deletion.js';
export { judgeByLibrary } from './judge-library.process.js';
export { requireAdminOfSpaces } from './levels-in-library.js';
export { library, nodeIn, type Library } from './library.js';
export { moveNode } from './move-node.process.js';
export {
  nodeResourceAccess,
  partResourceAccess,
  requireNode,
  viewNode,
  type ViewedNode,
} from './node-viewer.queries.js';
export { pageOfNodes } from './page-of-nodes.queries.js';
export { addCollection, addSpace } from './place.js';
export { requireCreate, requirePlace } from './require-create.queries.js';
export { lookAfterNew } from './unadded.timer.js';
