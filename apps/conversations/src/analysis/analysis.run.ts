import { defineRun } from '@scriptorium/event-sourcing';
import * as z from 'zod';

/** Finds issues in the conversations of an organization, and clusters them. */
export const analysisRun = defineRun({
  kind: 'conversation_analysis',
  input: z.object({ organization: z.string(), isNight: z.boolean() }),
  state: z.object({
    /** `look`: as a run of an older version called `decide`. */
    phase: z
      .enum(['extract', 'cut', 'look', 'decide', 'compare', 'merge', 'gather', 'describe'])
      .transform((phase) => (phase === 'look' ? 'decide' : phase)),
    done: z.int(),
    /** Whether clusters were merged and gathered already. */
    regrouped: z.boolean(),
    /** The number of the last cluster that was compared, gathered or described in this phase. */
    after: z.int().default(0),
    /** Clusters that are alike. */
    pairs: z.array(z.object({ first: z.int(), second: z.int(), similarity: z.number() })).default([]),
    /** Merges that are to be recorded. */
    merges: z.array(z.object({ into: z.int(), from: z.int() })).default([]),
    /** See `Asking`. */
    tries: z.int().default(0),
    pauseMs: z.int().default(0),
    chatFrom: z.int().default(0),
    /** Whether vectors are those of terms, since the model gave none for long. */
    byTerms: z.boolean().default(false),
  }),
  begin: () => ({
    ...{ phase: 'extract' as const, done: 0, regrouped: false, after: 0, pairs: [], merges: [] },
    ...{ tries: 0, pauseMs: 0, chatFrom: 0, byTerms: false },
  }),
  openAtMost: 1,
  // A model takes up to 50 s for an answer, and is asked three times in a row.
  stepWithinMs: 240_000,
});

export type AnalysisState = z.output<typeof analysisRun.state>;
