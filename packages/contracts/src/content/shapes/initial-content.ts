import * as z from 'zod';
import { SpaceSource } from './computed.js';
import { TemplateUse } from './template-use.js';

/** What content a space can begin with. */
export const initialContent = {
  template: TemplateUse.optional().meta({ description: 'The template of the content to begin with.' }),
  computedSource: SpaceSource.optional().meta({
    description: 'What the pages are computed from: there is one computed page at first.',
  }),
  empty: z.literal(true).optional().meta({ description: 'No content; unless given, there is one page named `Page`.' }),
};

/** The body of a request that creates a space: the fields of `shape`, and at most one of `begins`. */
export function withInitialContent<S extends z.ZodRawShape, B extends Partial<typeof initialContent>>(
  shape: S,
  begins: B,
) {
  const names = Object.keys(begins);
  const refuseTwo = (body: object, context: z.RefinementCtx): void => {
    const given = names.filter((name) => (body as Record<string, unknown>)[name] !== undefined);
    const second = given[1];
    if (second === undefined) return;
    const message = `Only one of ${names.slice(0, -1).join(', ')} and ${names.at(-1)} can be given`;
    context.addIssue({ code: 'custom', path: [second], message });
  };
  return z.object({ ...shape, ...begins }).superRefine(refuseTwo);
}
