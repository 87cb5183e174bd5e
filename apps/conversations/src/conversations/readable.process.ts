import { AppError, type ConversationPart } from '@scriptorium/contracts';
import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import { escaped, hasHTML, type withoutHTML } from './readable.task.js';

const withoutHTMLTask = workerTask<typeof withoutHTML>({
  name: 'conversation_without_html',
  module: compiledModule('./readable.task.js', import.meta.url),
  run: 'withoutHTML',
  withinMs: 3_000,
  tooCostly: () => new AppError('too_large'),
});

/** Characters of markup that are read; beyond them it is shown as text. */
const longestRead = 256 * 1024;

/** Parts as they are answered. They are stored as they came, so HTML becomes markdown here: nothing of it runs. */
export async function readable(
  { workers }: Pick<Scope, 'workers'>,
  parts: readonly ConversationPart[],
): Promise<ConversationPart[]> {
  const marked = parts.flatMap(({ body }) => (hasHTML(body) ? [body] : []));
  const length = marked.reduce((sum, body) => sum + body.length, 0);
  if (length === 0) return [...parts];
  const read =
    length > longestRead ? marked.map(escaped) : await workers.run(withoutHTMLTask, marked).catch(shown(marked));
  const shownBodies = new Map(marked.map((body, index) => [body, read[index] ?? escaped(body)]));
  return parts.map((part) => ({ ...part, body: shownBodies.get(part.body) ?? part.body }));
}

/** Markup that takes too long to be read is shown as text. */
function shown(marked: readonly string[]): (error: unknown) => string[] {
  return (error) => {
    if (error instanceof AppError && error.reason === 'too_large') return marked.map(escaped);
    throw error;
  };
}
