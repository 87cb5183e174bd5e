import * as z from 'zod';

/** Settings of deliveries to scripts. */
export const dispatchSettings = {
  DISPATCH_LANES: z.coerce
    .number()
    .int()
    .min(1)
    .max(256)
    .default(16)
    .describe(
      'Parts into which installations are divided for deliveries; replicas share them. The same in all of them',
    ),
};
