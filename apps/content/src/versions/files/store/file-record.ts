/**
 * A file of a space, as it stands in trees of content. Trees are stored for ever: fields are added, never renamed or
 * given another meaning. A type and not an interface, which TypeScript never takes for JSON.
 */
export type FileRecord = {
  name: string;
  /** SHA-256 of its bytes, which names them in the pool of the tree. */
  hash: string;
  /** Bytes. */
  size: number;
  contentType: string;
  /** Of an image whose first bytes tell it, in pixels. */
  dimensions?: { width: number; height: number };
  /** The file that an import has made it of: its path in what was imported. */
  importedFrom?: { path: string };
};
