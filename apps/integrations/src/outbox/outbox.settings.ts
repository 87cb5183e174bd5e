import * as z from 'zod';

/** Settings of what waits to be delivered. */
export const outboxSettings = {
  DISPATCH_MAX_QUEUED: z.coerce
    .number()
    .int()
    .min(10)
    .max(1_000_000)
    .default(10_000)
    .describe(
      'The most deliveries that may wait for one installation of an integration, or for one webhook; with more it is paused',
    ),
};
