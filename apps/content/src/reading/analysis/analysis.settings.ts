import * as z from 'zod';

/** Settings of what is derived from content and kept in memory. */
export const analysisSettings = {
  SEARCH_MEMORY_MB: z.coerce
    .number()
    .int()
    .min(1)
    .max(65_536)
    .default(128)
    .describe(
      'Memory in MiB that a replica uses for indexes of search and for links: 1,000 pages take about 5. What was used longest ago is dropped, and made again when it is needed',
    ),
};
