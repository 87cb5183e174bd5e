export { type CopiedBlobs, copyBlobs } from './copy-blobs.js';
export { type BlobPlaces, openBlobs } from './open-blobs.js';
export { folderBlobs, type FolderOptions } from './folder/folder-blobs.js';
export {
  type Blobs,
  type ByteRange,
  type ListOptions,
  type ReadBlob,
  type StoredBlob,
  type WriteOptions,
  type WrittenBlob,
} from './port/blobs.js';
export { BlobError, type BlobErrorCode } from './port/error.js';
export { HEAD_BYTES, LIST_LIMIT } from './port/limits.js';
export { servedInline } from './sniff/served-inline.js';
export { sniff, type Sniffed } from './sniff/sniff.js';
