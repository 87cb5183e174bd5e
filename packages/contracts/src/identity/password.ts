import * as z from 'zod';

/** Characters of a password that is set; longer ones are refused, none is cut. */
export const passwordBounds = { min: 10, max: 256 } as const;

/** A password to be set. How hard it is to guess is judged by the service. */
export const NewPassword = z
  .string()
  .min(passwordBounds.min)
  .max(passwordBounds.max)
  .refine((password) => password.isWellFormed(), 'Must be well-formed Unicode')
  .meta({ description: 'Refused when it is easy to guess; compared after NFKC normalisation.' });

/** A password to be compared, whatever it is. */
export const Password = z.string().min(1).max(passwordBounds.max);
