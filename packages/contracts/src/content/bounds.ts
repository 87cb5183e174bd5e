const KiB = 1024;
const MiB = 1024 * KiB;

/**
 * Bounds of one request about content. They are part of the contract and the same in every installation. A request with
 * more items or longer texts gets 400; one with more bytes gets 413.
 */
export const contentBounds = {
  /** Pages that are listed of the spaces of a site together. */
  listedPages: 20_000,
  /** Changes in one request. */
  changes: 50,
  /** Bytes of the body of a request with changes. */
  changesBytes: 25 * MiB,
  /** Files that one change inserts. */
  filesPerChange: 20,
  /** Bytes of one file that is sent within a request, before it is encoded. */
  inlineFileBytes: MiB,
  /** Bytes of one file. */
  fileBytes: 100 * MiB,
  fileName: 256,
  /** Bytes of one document as markdown. */
  markdownBytes: 512 * KiB,
  /** Bytes of one document as JSON. */
  documentBytes: 2 * MiB,
  title: 255,
  description: 1024,
  slug: 100,
  condition: 1024,
  /** Characters of the name of a variable. */
  variableName: 128,
  /** Characters of the value of a variable. */
  variable: 256,
  /** Alternates among the meta links of a page. */
  alternates: 50,
  /** Blocks that one change takes back. */
  blocks: 500,
  /** Conflicts that one request resolves. */
  conflicts: 500,
  /** Pages that lie within each other. */
  pageDepth: 32,
  /** Content references that a template takes. */
  templateReferences: 100,
  /** Bytes of the properties of computed content as JSON. */
  computedPropsBytes: 32 * KiB,
  /** Arrays and objects that lie within each other in these properties. */
  computedPropsLevels: 32,
  /** Bytes of one dependency that pages are computed from. */
  computedFromBytes: 5 * MiB,
  /** Pages that one source makes. */
  computedPages: 2_000,
  /** Documents that the script of an integration computes for one source: each is a call. */
  computedByScript: 100,
  /** Bytes of the documents that one source makes, as JSON. */
  computedBytes: 8 * MiB,
  /** Addresses of files that the looks of one site use. Beyond these no file of the looks is dropped. */
  usedLookFiles: 10_000,
  /** Dependencies of computed content. */
  dependencies: 20,
} as const;
