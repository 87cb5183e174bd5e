import * as z from 'zod';
import { ComputedSource } from './computed.js';
import { TemplateUse } from './templates.js';

const fields = {
  template: TemplateUse.optional().meta({ description: 'The template of the content to begin with.' }),
  computedSource: ComputedSource.optional().meta({ description: 'What the whole content is computed from.' }),
  empty: z.literal(true).optional().meta({ description: 'No content; unless given, there is one page named `Page`.' }),
};
const names = Object.keys(fields) as (keyof typeof fields)[];

/**
 * The body of a request that creates a space: these fields, and at most one of `template`, `computedSource` and `empty`,
 * which say what content the space begins with.
 */
export function withInitialContent<S extends z.ZodRawShape>(shape: S) {
  const refuseTwo = (body: object, context: z.RefinementCtx): void => {
    const given = names.filter((name) => (body as Record<string, unknown>)[name] !== undefined);
    const second = given[1];
    if (second === undefined) return;
    const message = 'Only one of template, computedSource and empty can be given';
    context.addIssue({ code: 'custom', path: [second], message });
  };
  return z.object({ ...shape, ...fields }).superRefine(refuseTwo);
}
