import { everyItem } from '../command-line/every-item.js';
import { linesOf } from '../command-line/lines.js';
import { explain } from '../installation/explain.js';
import { placeOf, type CommandInput } from './place.js';
import { problemLines } from './problems.js';

/** `scriptorium openapi list`: one line for each specification. */
export async function listCommand(input: CommandInput): Promise<void> {
  const { client, organizationId } = await placeOf(input);
  const read = (cursor: { page?: string }) =>
    client.listOpenAPISpecs({ params: { organizationId }, query: { limit: 100, ...cursor } }).catch(explain);
  for await (const spec of everyItem(read)) {
    const { slug, visibility, processingState, lastProcessErrorCode } = spec;
    input.answer(spec, `${[slug, visibility, lastProcessErrorCode ?? processingState].join('\t')}\n`);
  }
}

/** `scriptorium openapi show`: what is known of a specification, and the problems that were found in it. */
export async function showCommand(input: CommandInput & { slug: string }): Promise<void> {
  const { client, organizationId } = await placeOf(input);
  const params = { organizationId, specSlug: input.slug };
  const spec = await client.getOpenAPISpecBySlug({ params }).catch(explain);
  const facts: Record<string, string | undefined> = {
    visibility: spec.visibility,
    state: spec.processingState,
    version: spec.lastVersion,
    'read at': spec.lastProcessedAt,
    'read again at': spec.nextProcessingAt,
    error: spec.lastProcessErrorCode,
    source: spec.sourceURL,
    page: spec.urls.app,
    published: spec.urls.published,
  };
  input.answer(spec, linesOf(facts) + problemLines(spec.slug, spec.lastProcessedErrors ?? [], spec.problems ?? 0));
}

/** `scriptorium openapi delete`: deletes a specification with all its versions. */
export async function deleteCommand(input: CommandInput & { slug: string }): Promise<void> {
  const { client, organizationId } = await placeOf(input);
  const params = { organizationId, specSlug: input.slug };
  const isDeleted = await client.deleteOpenAPISpecBySlug({ params }).catch(explain);
  const text = isDeleted ? `Deleted ${input.slug}\n` : `There was no ${input.slug}\n`;
  input.answer({ slug: input.slug, deleted: isDeleted }, text);
}
