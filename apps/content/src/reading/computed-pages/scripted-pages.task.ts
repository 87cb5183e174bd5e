import {
  AppError,
  contentBounds,
  type ComputedDocument,
  ScriptedDocumentAnswer,
  ScriptedRevision,
  type ScriptedDocumentSource,
  type ScriptedPage,
} from '@scriptorium/contracts';
import { fromClients, parseMarkdown, RichTextError, validate, type RichDocument } from '@scriptorium/rich-text';
import { canonical, nameOfText } from '@scriptorium/tree';
import type { ScriptedComputedPage } from './computed-page.js';

/** What a script has answered for the document of a page, or why it has not. */
export type GivenDocument = { answer: string } | { fault: string };

/** What a script has answered for a source: JSON of the forms that the contract names. */
export interface ScriptedAnswers {
  /** The declaration of the source: what the pages depend on is what it depends on. */
  dependencies: NonNullable<ComputedDocument['dependencies']> | undefined;
  revision: string;
  /** The documents of pages, by `nameOfSource`. */
  documents: Readonly<Record<string, GivenDocument>>;
  /** The pages that were read before: they have documents for those that cannot be read now. */
  earlier: string | undefined;
}

/** The pages of a source, as JSON, and the first of the faults for which documents are missing. */
export interface ReadPages {
  pages: string;
  fault?: string;
}

/** A document that a page shows, and where in the answer that page stands. */
export interface WantedDocument {
  source: ScriptedDocumentSource;
  at: string;
}

/** JSON levels of a document. */
const deepest = 2_000;
/** Levels of the pages of one source. */
const mostLevels = 8;

/** Names the document of a page among those of a source. */
export function nameOfSource({ type, props }: ScriptedDocumentSource): string {
  return canonical({ type, props });
}

/**
 * The documents that the pages of an answer show, by their names. @throws AppError `integration_failed` that names the
 * place in the answer
 */
export function documentsIn(revision: string): ReadonlyMap<string, WantedDocument> {
  const wanted = new Map<string, WantedDocument>();
  for (const { page, at } of flat(ScriptedRevision.parse(JSON.parse(revision)).pages))
    if (page.type === 'document' && page.computed !== undefined)
      wanted.set(nameOfSource(page.computed), { source: page.computed, at: `${at}.computed` });
  const most = contentBounds.computedByScript;
  if (wanted.size > most) throw malformed('pages', `At most ${most} documents are computed for one source`);
  return wanted;
}

/**
 * The pages of a source. A document that cannot be read is the one from before, or missing, as long as there are
 * others. Pure, so that it can run in a worker.
 * @throws AppError `integration_failed`
 */
export function readScriptedPages({ revision, documents, dependencies, earlier }: ScriptedAnswers): ReadPages {
  const listed = flat(ScriptedRevision.parse(JSON.parse(revision)).pages);
  if (listed.length > contentBounds.computedPages)
    throw malformed('pages', `At most ${contentBounds.computedPages} pages`);
  const before = new Map(pagesIn(earlier).map((page) => [page.key, page.document]));
  const keys = new Set<string>();
  const faults: string[] = [];
  let [bytes, read] = [0, 0];
  const pages = listed.map(({ page, at, parent, key }): ScriptedComputedPage => {
    if (keys.has(key)) throw malformed(`${at}.id`, 'Another page has this id');
    keys.add(key);
    const shown = { key, ...fieldsOf(page), ...(parent === undefined ? {} : { parent }) };
    if (page.type !== 'document' || page.computed === undefined) return shown;
    const found = documentOf(documents[nameOfSource(page.computed)], { title: page.title, at: `${at}.computed` });
    const document = 'fault' in found ? before.get(key) : found;
    bytes += Buffer.byteLength(document?.text ?? '');
    if (bytes > contentBounds.computedBytes) throw malformed('pages', 'Their documents are too large together');
    const made = { ...shown, computed: { ...page.computed, dependencies }, ...(document && { document }) };
    if (!('fault' in found)) read += 1;
    else faults.push(found.fault);
    return 'fault' in found ? { ...made, fault: found.fault, ...(document && { stale: true }) } : made;
  });
  const [fault] = faults;
  if (fault === undefined) return { pages: JSON.stringify(pages) };
  if (read === 0) throw new AppError('integration_failed', [], { message: fault });
  return { pages: JSON.stringify(pages), fault };
}

function pagesIn(text: string | undefined): readonly ScriptedComputedPage[] {
  return text === undefined ? [] : (JSON.parse(text) as ScriptedComputedPage[]);
}

interface Listed {
  page: ScriptedPage;
  /** Its place in the answer. */
  at: string;
  key: string;
  parent: string | undefined;
}

/** All pages, each before those in it. */
function flat(pages: readonly ScriptedPage[], above?: Listed, level = 1): Listed[] {
  if (level > mostLevels)
    throw malformed(above?.at ?? 'pages', `Pages lie within each other at most ${mostLevels} deep`);
  const named = new Map<string, number>();
  return pages.flatMap((page, index) => {
    const name = ('slug' in page ? page.slug : undefined) || page.title;
    const count = named.get(name) ?? 0;
    named.set(name, count + 1);
    const key = page.id ?? JSON.stringify([above?.key ?? '', page.type, name, count]);
    const at = `${above === undefined ? '' : `${above.at}.`}pages.${index}`;
    const listed = { page, at, key, parent: above?.key };
    return [listed, ...('pages' in page ? flat(page.pages ?? [], listed, level + 1) : [])];
  });
}

function fieldsOf(page: ScriptedPage) {
  const { type, title, emoji, icon } = page;
  return {
    type,
    title,
    ...(emoji === undefined ? {} : { emoji }),
    ...(icon === undefined ? {} : { icon }),
    ...('slug' in page && page.slug !== undefined && page.slug !== '' ? { slug: page.slug } : {}),
    ...('description' in page && page.description !== undefined ? { description: page.description } : {}),
    ...('target' in page ? { target: page.target } : {}),
  };
}

/** The document of a page, or why there is none. */
function documentOf(
  given: GivenDocument | undefined,
  { title, at }: { title: string; at: string },
): { name: string; text: string } | { fault: string } {
  if (given === undefined || 'fault' in given) return { fault: `${at}: ${given?.fault ?? 'There is no answer'}` };
  try {
    const text = canonical(readDocument(given.answer, title), deepest);
    if (Buffer.byteLength(text) > contentBounds.documentBytes) return faultAt(at, 'The document is too large');
    return { name: nameOfText(text), text };
  } catch (error) {
    if (error instanceof RangeError) return faultAt(at, 'The document nests too deeply');
    if (!(error instanceof RichTextError)) throw error;
    return faultAt([at, 'document', ...error.path].join('.'), error.message);
  }
}

/** A document of a script, read as one that a user writes: of markdown, a first heading may repeat the title. */
function readDocument(answer: string, title: string): RichDocument {
  const given = ScriptedDocumentAnswer.parse(JSON.parse(answer)).document;
  if (given.markdown !== undefined)
    return parseMarkdown(given.markdown, { context: 'page', isTitle: (heading) => heading === title }).document;
  const { meta: _, ...document } = fromClients(validate(given));
  return document;
}

function faultAt(at: string, why: string): { fault: string } {
  return { fault: malformed(at, why).message };
}

/** An answer of a script that cannot be shown. */
export function malformed(at: string, why: string): AppError {
  return new AppError('integration_failed', [], { message: `The script's answer is malformed: ${at}: ${why}` });
}
