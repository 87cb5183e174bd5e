import * as z from 'zod';

/** The length of a new password in characters. Longer passwords are refused and never cut. */
export const passwordBounds = { min: 10, max: 256 } as const;

/** A new password. The service judges how hard it is to guess. */
export const NewPassword = z
  .string()
  .min(passwordBounds.min)
  .max(passwordBounds.max)
  .refine((password) => password.isWellFormed(), 'Must be well-formed Unicode')
  .meta({ description: 'Refused when it is easy to guess; compared after NFKC normalisation.' });

/** A password that is compared with the stored one; it may be any text. */
export const Password = z.string().min(1).max(passwordBounds.max);
