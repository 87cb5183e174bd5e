import { AppError, type ContentDocument } from '@scriptorium/contracts';
import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import type { FrontMatter } from '@scriptorium/rich-text';
import type { Page } from '../pages/index.js';
import type { ChangeContext } from './context.js';
import { knownTargets, targetOf } from './link-targets.js';
import { parsePage, type MarkdownText, type PageText, type ParsedPage, type ParsePage } from './parse-page.js';

/** A document of a request, read. */
export interface GivenDocument {
  document: ParsedPage['document'];
  title: string | undefined;
  frontMatter: FrontMatter | undefined;
}

/** Texts beyond this length, all of a request together, are read in a worker, as they take more than some milliseconds. */
const longestInline = 4_096;
/** The longest document, as JSON, that is replaced at once. */
const longestReplaced = 65_536;

const parseTask = workerTask<typeof parsePage>({
  name: 'parse_page',
  module: compiledModule('./parse-page.js', import.meta.url),
  run: 'parsePage',
  withinMs: 10_000,
  tooCostly: () => new AppError('content_change_invalid', [], { message: 'The document takes too long to be read' }),
});

/** Reads the documents of one request: short texts at once, in a worker as soon as they are long together. */
export function pageParser({ workers }: Pick<Scope, 'workers'>, deadline: number): ParsePage {
  let length = 0;
  return async (text) => {
    length += 'json' in text ? text.json.length : text.markdown.length;
    const isShort =
      length <= longestInline && (!('previous' in text) || (text.previous ?? '').length <= longestReplaced);
    return isShort ? parsePage(text) : workers.run(parseTask, text, { deadline });
  };
}

/** Whose document it is, with the one that it replaces, and the titles that a first heading may repeat. */
export interface DocumentPlace extends Pick<MarkdownText, 'titles'> {
  /** The name of the document that it replaces. */
  previous: string | undefined;
  record: Page | undefined;
  parent: string | undefined;
}

/**
 * A document of a request. Links to pages of the same space are found by their paths; in markdown, what leads nowhere stays as text.
 * @throws AppError `content_change_invalid`
 */
export async function readDocument(
  context: Pick<ChangeContext, 'draft' | 'refs' | 'contentRefs' | 'fileNames' | 'openConflicts' | 'parse'>,
  given: ContentDocument,
  place: DocumentPlace,
): Promise<GivenDocument> {
  const targets = knownTargets(context);
  const text = await textOf(context, given, place);
  try {
    const first = await context.parse({ ...text, targets });
    if (first.unknown.length === 0) return first;
    for (const url of first.unknown) targets[url] = await targetOf(context, url, place);
    return await context.parse({ ...text, targets });
  } catch (error) {
    throw within('document' in given ? 'document.document' : 'document', error);
  }
}

type WithoutTargets<T> = T extends PageText ? Omit<T, 'targets'> : never;

async function textOf(
  { draft, refs, openConflicts }: Pick<ChangeContext, 'draft' | 'refs' | 'openConflicts'>,
  given: ContentDocument,
  { previous, titles }: DocumentPlace,
): Promise<WithoutTargets<PageText>> {
  if ('markdown' in given) {
    const replaced = previous === undefined ? undefined : JSON.stringify(await draft.object(previous));
    return { markdown: String(given.markdown), previous: replaced, titles };
  }
  const json = JSON.stringify('document' in given ? given.document : given);
  return { json, refs: Object.fromEntries(refs), openConflicts: [...openConflicts] };
}

/** An error in a document names its place from the change on. */
function within(field: string, error: unknown): unknown {
  if (!(error instanceof AppError) || error.reason !== 'content_change_invalid') return error;
  const [detail] = error.details;
  if (detail === undefined) return error;
  return new AppError(error.reason, [{ ...detail, path: `${field}${detail.path}` }], { message: error.message });
}
