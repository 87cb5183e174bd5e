import * as z from 'zod';

/** Settings of conversations. */
export const conversationSettings = {
  CONVERSATIONS_KEEP_DAYS: z.coerce
    .number()
    .int()
    .min(0)
    .max(36_500)
    .default(395)
    .describe('Days after their creation for which conversations are kept; 0: for ever'),
};
