import { AppError, type ContentDocument } from '@scriptorium/contracts';
import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import type { FrontMatter } from '@scriptorium/rich-text';
import { setImmediate } from 'node:timers/promises';
import type { Page } from '../../pages/index.js';
import type { ChangeContext } from '../context.js';
import { knownTargets, targetOf } from './link-targets.js';
import { addressesIn } from '../parsing/looked-up.js';
import { parsePage, type MarkdownText, type PageText, type ParsedPage, type ParsePage } from '../parsing/parse-page.js';

/** A document of a request, read. */
export interface GivenDocument {
  document: ParsedPage['document'];
  title: string | undefined;
  frontMatter: FrontMatter | undefined;
}

/**
 * Texts beyond this length, all of a request together, are read in a worker, as they take more than some milliseconds.
 */
export const longestInline = 4_096;
/** The longest document, as JSON, that is replaced at once. */
const longestReplaced = 65_536;

const parseTask = workerTask<typeof parsePage>({
  name: 'parse_page',
  module: compiledModule('../parsing/parse-page.js', import.meta.url),
  run: 'parsePage',
  withinMs: 10_000,
  tooCostly: () => new AppError('content_change_invalid', [], { message: 'The document takes too long to be read' }),
});

/** Reads the documents of one request: short texts at once, in a worker as soon as they are long together. */
export function pageParser({ workers }: Pick<Scope, 'workers'>, deadline: number): ParsePage {
  let length = 0;
  return async (text) => {
    length += lengthOf(text);
    const isShort =
      length <= longestInline && (!('previous' in text) || (text.previous ?? '').length <= longestReplaced);
    return isShort ? parsePage(text) : workers.run(parseTask, text, { deadline });
  };
}

const lengthOf = (text: WithoutTargets<PageText>): number => ('json' in text ? text.json : text.markdown).length;

/** Whose document it is, with the one that it replaces, and the titles that a first heading may repeat. */
export interface DocumentPlace extends Pick<MarkdownText, 'titles'> {
  /** The name of the document that it replaces. */
  previous: string | undefined;
  record: Page | undefined;
  parent: string | undefined;
}

/**
 * A document of a request. Links to pages of the same space are found by their paths; in markdown, what leads nowhere
 * stays as text.
 * @throws AppError `content_change_invalid`
 */
export async function readDocument(
  context: Reading & Pick<ChangeContext, 'parse'>,
  given: ContentDocument,
  place: DocumentPlace,
): Promise<GivenDocument> {
  const text = await textToRead(context, given, place);
  try {
    const first = await context.parse(text);
    if (first.unknown.length === 0) return first;
    const targets = await withTargets(context, text.targets, first.unknown, place);
    return await context.parse({ ...text, targets });
  } catch (error) {
    throw within('document' in given ? 'document.document' : 'document', error);
  }
}

type Reading = Pick<ChangeContext, 'draft' | 'refs' | 'contentRefs' | 'fileNames' | 'openConflicts'>;

/**
 * A document of a request with what it is read with; the targets are those of the addresses that are seen without
 * parsing it.
 */
export async function textToRead(context: Reading, given: ContentDocument, place: DocumentPlace): Promise<PageText> {
  const text = await textOf(context, given, place);
  // What is done for a long document before and behind this takes some milliseconds, also when it was read ahead.
  if (lengthOf(text) > longestInline) await setImmediate();
  return { ...text, targets: await withTargets(context, knownTargets(context), addressesIn(text), place) };
}

/** Addresses that are looked up before other requests get their turn. */
const untilTurn = 64;

async function withTargets(
  context: Reading,
  known: PageText['targets'],
  addresses: Iterable<string>,
  place: DocumentPlace,
): Promise<PageText['targets']> {
  const added = new Map<string, PageText['targets'][string]>();
  let count = 0;
  for (const url of addresses) {
    if (Object.hasOwn(known, url) || added.has(url)) continue;
    added.set(url, await targetOf(context, url, place));
    if (++count % untilTurn === 0) await setImmediate();
  }
  return { ...known, ...Object.fromEntries(added) };
}

type WithoutTargets<T> = T extends PageText ? Omit<T, 'targets'> : never;

async function textOf(
  { draft, refs, openConflicts }: Reading,
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
