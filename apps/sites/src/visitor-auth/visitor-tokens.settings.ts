import * as z from 'zod';

/** Settings of the tokens of visitors. */
export const visitorTokenSettings = {
  VISITOR_TOKEN_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .max(8_760)
    .default(24)
    .describe(
      'Hours for which a token of a visitor may be good from now on, at most: one that ends later (`exp`) is refused',
    ),
};
