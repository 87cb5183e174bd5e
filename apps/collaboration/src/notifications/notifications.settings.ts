import * as z from 'zod';

/** When digests are mailed. */
export const notificationSettings = {
  DIGEST_HOUR: z.coerce
    .number()
    .int()
    .min(0)
    .max(23)
    .default(7)
    .describe('Hour of the day, in UTC, at which people are mailed what they have not read'),
} as const;
