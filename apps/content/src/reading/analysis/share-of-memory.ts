/** The setting for everything that is derived from content and kept in memory. */
export interface SharedMemory {
  readonly SEARCH_MEMORY_MB: number;
}

/** What is known of documents, indexes of spaces, links of revisions. */
const shares = { analyses: 0.3, indexes: 0.6, links: 0.1 } as const;

/** The bytes that one of them may take. */
export function shareOfMemory({ SEARCH_MEMORY_MB }: SharedMemory, part: keyof typeof shares): number {
  return Math.floor(SEARCH_MEMORY_MB * 1024 * 1024 * shares[part]);
}
