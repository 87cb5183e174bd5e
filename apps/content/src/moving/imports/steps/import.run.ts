import { defineRun } from '@scriptorium/event-sourcing';
import * as z from 'zod';

const day = 86_400_000;
/** How long an import is shown after its end, ms. */
export const importKeptMs = 30 * day;

/**
 * Makes a revision of a folder of markdown. What is imported stands in `op_imports`: it has addresses and names, which
 * may not stay in the log for ever.
 */
export const contentImport = defineRun({
  kind: 'content_import',
  /** The import has the id of the run. */
  input: z.object({ space: z.string() }),
  /** `at`: how many of the pages, reusable contents or files are done. */
  state: z.object({
    phase: z.enum(['fetch', 'plan', 'scan', 'pages', 'includes', 'files', 'commit', 'show']),
    at: z.int(),
    pages: z.int(),
    /** Until where files are read one by one, as one of them takes too long. */
    fewUntil: z.int().default(0),
    /** Files that were passed over. */
    unread: z.int().default(0),
  }),
  begin: () => ({ phase: 'fetch' as const, at: 0, pages: 0, fewUntil: 0, unread: 0 }),
  openAtMost: 100,
  keepMs: importKeptMs,
});

export type ImportState = z.output<typeof contentImport.state>;
