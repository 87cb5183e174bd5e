import * as z from 'zod';
import { requestBounds } from '../../kernel/limits.js';
import { contentBounds } from '../bounds.js';

/** Variables of a space or a page, by name. */
export const Variables = z.record(z.string(), z.string()).meta({ id: 'Variables' });
export type Variables = z.output<typeof Variables>;

const Name = z
  .string()
  .max(contentBounds.variableName)
  .regex(/^[A-Za-z][A-Za-z0-9_]*$/);
const Value = z.string().max(contentBounds.variable);

/** Variables to set, by name; those with the value `null` are removed, all others stay. */
export const VariableChanges = z
  .record(Name, Value.nullable(), {
    error: ({ code }) =>
      code === 'invalid_key'
        ? `The name of a variable begins with a letter and has letters, digits and _, at most ${contentBounds.variableName}`
        : undefined,
  })
  .refine((variables) => Object.keys(variables).length <= requestBounds.batch, {
    message: `At most ${requestBounds.batch} variables`,
  })
  .meta({ description: 'Variables to set, by name; `null` removes one, those that are not named stay.' });
