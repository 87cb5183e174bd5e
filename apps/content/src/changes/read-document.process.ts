import { AppError, type RichDocumentInput } from '@scriptorium/contracts';
import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import { withoutConflicts, type FrontMatter, type RichDocument } from '@scriptorium/rich-text';
import type { Page } from '../pages/index.js';
import { referenceIn, type ChangeContext } from './context.js';
import { knownTargets, targetOf } from './link-targets.js';
import { checkDocument, parsePage, type ParsePage } from './parse-page.js';

/** A document of a request, read. */
export interface GivenDocument {
  document: RichDocument;
  title: string | undefined;
  frontMatter: FrontMatter | undefined;
}

/** Texts beyond this length, all of a request together, are read in a worker, as they take more than some milliseconds. */
const longestInline = 4_096;

const parseTask = workerTask<typeof parsePage>({
  name: 'parse_page',
  module: compiledModule('./parse-page.js', import.meta.url),
  run: 'parsePage',
  withinMs: 10_000,
  tooCostly: () => new AppError('content_change_invalid', [], { message: 'The document takes too long to be read' }),
});

/** Reads the markdown of one request: short texts at once, in a worker as soon as they are long together. */
export function pageParser({ workers }: Pick<Scope, 'workers'>, deadline: number): ParsePage {
  let length = 0;
  return async (text) => {
    length += text.markdown.length;
    return length <= longestInline ? parsePage(text) : workers.run(parseTask, text, { deadline });
  };
}

/**
 * A document of a request. Links to pages of the same space are found by their paths; what leads nowhere stays as text.
 * `page`: whose document it is, with the one that it replaces.
 * @throws AppError `content_change_invalid`
 */
export async function readDocument(
  context: Pick<ChangeContext, 'draft' | 'refs' | 'contentRefs' | 'fileNames' | 'openConflicts' | 'parse'>,
  given: RichDocumentInput,
  page: { record: Page | undefined; parent: string | undefined; previous: RichDocument | undefined },
): Promise<GivenDocument> {
  if (!('markdown' in given)) {
    const document = checkDocument('document' in given ? given.document : given);
    const own = withoutConflicts(withoutMeta(document), context.openConflicts);
    return { document: withIds(context, own), title: undefined, frontMatter: undefined };
  }
  const { previous } = page;
  const { markdown } = given as { markdown: string };
  const targets = knownTargets(context);
  const first = await context.parse({ markdown, previous, targets });
  if (first.unknown.length === 0) return first;
  for (const url of first.unknown) targets[url] = await targetOf(context, url, page);
  return context.parse({ markdown, previous, targets });
}

/** A document whose references name by their ids what the request makes. */
function withIds(context: Pick<ChangeContext, 'refs'>, document: RichDocument): RichDocument {
  if (context.refs.size === 0) return document;
  const named = (_name: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && 'kind' in value ? referenceIn(context, value as never) : value;
  return JSON.parse(JSON.stringify(document), named) as RichDocument;
}

/** What was added to a document when it was read is no part of it. */
function withoutMeta({ meta: _, ...document }: RichDocument): RichDocument {
  return document;
}
