import { AppError } from '@scriptorium/contracts';
import { fromClients, parseMarkdown, RichTextError, validate, type RichDocument } from '@scriptorium/rich-text';

/** A text of a request: markdown, or a document. */
export type GivenText = { markdown: string } | { document: unknown };

/** Reads a text of a request. Pure, so that it can run in a worker. @throws AppError `invalid_request` */
export function parseText(given: GivenText): RichDocument {
  try {
    return withoutNames(
      'markdown' in given ? parseMarkdown(given.markdown).document : fromClients(validate(given.document)),
    );
  } catch (error) {
    if (!(error instanceof RichTextError)) throw error;
    throw new AppError('invalid_request', [], { message: error.message });
  }
}

/**
 * The document without the names of people whom it mentions: they are shown by their ids, so that nothing has to be
 * changed when somebody takes another name or is erased. Nor has it the marks of whoever showed it.
 */
function withoutNames({ meta: _, ...document }: RichDocument): RichDocument {
  return strip(document) as RichDocument;
}

function strip(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(strip);
  const entries = Object.entries(value).map(([name, member]) => [name, strip(member)] as const);
  const kept = isPerson(value)
    ? entries.filter(([name]) => name !== 'title')
    : isPerson((value as { ref?: unknown }).ref)
      ? entries.filter(([name]) => name !== 'text')
      : entries;
  return Object.fromEntries(kept);
}

function isPerson(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'user';
}
