const MiB = 1024 * 1024;

/** Bounds of one import. They are part of the contract and the same in every installation. */
export const importBounds = {
  /** Uploads that an import is made of. */
  files: 50,
  /** Files in all archives of an import together. */
  entries: 60_000,
  /** Bytes of the table of contents of one archive. */
  directoryBytes: 16 * MiB,
  /** Bytes of all files of an import together, unpacked. */
  bytes: 1024 * MiB,
  /** How many times as long as its packed bytes a file can be beyond its first MiB. */
  ratio: 200,
  /** Bytes of the path of a file. */
  pathBytes: 1024,
  /** Bytes of `SUMMARY.md`. */
  summaryBytes: 4 * MiB,
  /** Bytes of the manifest of an export. */
  manifestBytes: 32 * MiB,
  /** Warnings that a report lists. */
  warnings: 1_000,
} as const;
