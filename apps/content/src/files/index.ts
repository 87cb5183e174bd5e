export { type FileLinks, linksHoldUntil } from './file-links.js';
export type { FileRecord } from './file-record.js';
export type { StagedFile, StagingCall } from './file-sources.process.js';
export { FileStore } from './file-store.operational.js';
export { stageFiles, type StagedFiles } from './stage-files.process.js';
