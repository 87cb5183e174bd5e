import { AppError, blaming, collaborationBounds, invalid, type RichDocumentInput } from '@scriptorium/contracts';
import { compiledModule, workerTask, type Call } from '@scriptorium/platform';
import { links, type RichDocument } from '@scriptorium/rich-text';
import { parseText, type GivenText } from './parse-text.js';

/** A text of a request, read. */
export interface ReadText {
  document: RichDocument;
  /** Of the document as JSON. */
  bytes: number;
  /** The users whom it mentions. */
  mentions: string[];
}

/** Texts beyond this length are read in a worker, as they take more than some milliseconds. */
const longestInline = 4_096;

const parseTask = workerTask<typeof parseText>({
  name: 'parse_text',
  module: compiledModule('./parse-text.js', import.meta.url),
  run: 'parseText',
  withinMs: 5_000,
  tooCostly: () => new AppError('invalid_request', [], { message: 'The text takes too long to be read' }),
});

/** Reads a text of a request. `path`: its field. @throws AppError `invalid_request`, `too_large`, naming the field */
export async function readText(
  { workers, deadline }: Pick<Call, 'workers' | 'deadline'>,
  given: RichDocumentInput,
  path: string,
): Promise<ReadText> {
  const text = formOf(given);
  const isShort = 'markdown' in text && text.markdown.length <= longestInline;
  const document = await named(path, () => (isShort ? parseText(text) : workers.run(parseTask, text, { deadline })));
  if (document.nodes.length === 0) throw invalid(path, 'Must not be empty');
  const bytes = Buffer.byteLength(JSON.stringify(document));
  if (bytes > collaborationBounds.documentBytes)
    throw blaming('too_large', path, `It makes a document of more than ${collaborationBounds.documentBytes} bytes`);
  const mentions = mentionsIn(document);
  if (mentions.length > collaborationBounds.mentions)
    throw invalid(path, `Must mention at most ${collaborationBounds.mentions} people`);
  return { document, bytes, mentions };
}

function formOf(given: RichDocumentInput): GivenText {
  if ('object' in given) return { document: given };
  return 'markdown' in given ? { markdown: given.markdown } : { document: given.document };
}

async function named<T>(path: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof AppError && error.reason === 'invalid_request' ? invalid(path, error.message) : error;
  }
}

function mentionsIn(document: RichDocument): string[] {
  const users = links(document).map(({ ref }) => (ref.kind === 'user' ? ref['user'] : undefined));
  return [...new Set(users.filter((user) => typeof user === 'string'))];
}
