export { requireAdminOfSpaces } from './access/levels-in-library.js';
export { isAbove, refuseHigher } from './access/levels.js';
export { accessToNode, accessToPart, requireNode, type ViewedNode, viewNode } from './access/node-viewer.queries.js';
export { findNode, inLiveSpace, requireSpaceNode } from './access/node.queries.js';
export { pageOfNodes } from './access/page-of-nodes.queries.js';
export { deletionFields, recoverableBy } from './access/recoverable.queries.js';
export { requireCreate, requirePlace } from './access/require-create.queries.js';
export { deleteCollection, deleteSpace, restore, restoredPlace } from './deletion.js';
export { judgeByLibrary } from './judge-library.process.js';
export { libraryEvents } from './library.events.js';
export { library, type Library, nodeIn } from './library.js';
export { moveBeside } from './moving/move.js';
export { moveNode } from './moving/move-node.process.js';
export { addCollection, addSpace } from './place.js';
export { lookAfterNew } from './purging/unadded.timer.js';
export { arrivalOf, endTransfer } from './transferring/end-transfer.process.js';
export { onceItFollows } from './transferring/follow.process.js';
export {
  beginTransfer,
  requireEntry,
  requireTransferable,
  settle,
  type TransferredNode,
} from './transferring/transfer.js';
