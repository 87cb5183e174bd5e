import { sentencesOfBlocks } from '@scriptorium/openapi/shown';
import {
  anchorFinder,
  anchors,
  derivedIds,
  foreignAnchors,
  outline,
  withApiBlocksWritten,
  type RichDocument,
} from '@scriptorium/rich-text';
import { blocksOf } from './blocks.js';
import { directionOf } from './direction.js';
import { inlinesOf } from './inlines.js';
import { scriptsOf } from './scripts-of.js';
import type { NamedFile, SheetContext } from './sheet-context.js';
import type { PreparedPage, SheetNode, SheetSection } from './sheet-nodes.js';
import { cleanText, directionOfLanguage, inProse } from './texts.js';
import { asRemoved, withChanges } from './with-changes.js';

/** A page, and what it needs to be laid out. */
export interface PageToPrepare {
  id: string;
  space: string;
  title: string;
  /** The language of the space. */
  language?: string;
  about?: string | undefined;
  level: number;
  /** Whether it begins on a new sheet. */
  sheet: boolean;
  /** Whether its headings are bookmarks. */
  isOutlined: boolean;
  /** Its document as JSON; absent for a group of pages. */
  text?: string | undefined;
  /** What of the page is shown as changed: all of it, or the difference to `before`. */
  change?: 'added' | 'changed' | 'removed' | undefined;
  /** Its document before the changes, as JSON. */
  before?: string | undefined;
  /** The address of the space on its site: links to its pages that are not in the file lead there. */
  published?: string | undefined;
  files: Readonly<Record<string, NamedFile>>;
  /** Ids of users that it may name. */
  people?: readonly string[];
}

/** A page as a part of a PDF. Pure: everything that could fail the layout is mended here. */
export function preparePage(page: PageToPrepare): PreparedPage {
  const { id, level, text } = page;
  const title = cleanText(page.title.replaceAll('\n', ' ').trim()) || 'Untitled';
  const about = cleanText(page.about?.trim() ?? '');
  const base = directionOfLanguage(page.language ?? '');
  const said: SheetNode = { t: 'p', c: about, ...directionOf(base, about) };
  const head = {
    id,
    l: level,
    title,
    sheet: page.sheet,
    ...directionOf(base, title),
    ...(about === '' ? {} : { about: said }),
  };
  const pictures = new Set<string>();
  const labels: Record<string, string> = { [id]: id };
  const section: SheetSection = { ...head, b: [] };
  if (text !== undefined) {
    const document = documentOf(page, text);
    const known = anchorsOf(document, id, labels);
    section.b = blocksOf(contextOf(page, { ...known, document, pictures }), document.nodes);
  }
  const json = JSON.stringify(section);
  return { json, labels, scripts: scriptsOf(json), pictures: [...pictures], people: page.people ?? [] };
}

function documentOf({ before, change }: PageToPrepare, text: string): RichDocument {
  const document = withChange(JSON.parse(text) as RichDocument, { before, change });
  // What cannot be shown is said: on paper nobody sees that something is missing.
  return withApiBlocksWritten(document, (blocks) => sentencesOfBlocks(blocks, { isComplete: true }));
}

function withChange(
  document: RichDocument,
  { before, change }: Pick<PageToPrepare, 'before' | 'change'>,
): RichDocument {
  if (change === 'removed') return asRemoved(document);
  if (change === 'added') return withChanges(null, document);
  return before === undefined ? document : withChanges(JSON.parse(before) as RichDocument, document);
}

interface Anchors {
  headings: ReadonlyMap<string, string>;
  inTexts: Set<string>;
}

/** What links can name in the page; adds it to the labels. */
function anchorsOf(document: RichDocument, page: string, labels: Record<string, string>): Anchors {
  const found = outline(document);
  const headings = new Map(found.map(({ key, id }) => [key, id]));
  const derived = derivedIds(document);
  const inTexts = new Set(anchors(document));
  const add = (name: string, id: string): void => {
    const named = `${page}#${name}`;
    if (!Object.hasOwn(labels, named)) labels[named] = `${page}-${id}`;
  };
  for (const { id } of found) inTexts.delete(id);
  for (const { id, title } of found) if (title !== '') add(id, id);
  for (const { key, id, title } of found) {
    if (title === '') continue;
    const own = derived.get(key);
    if (own !== undefined) inTexts.delete(own);
    for (const other of [...(own === undefined ? [] : [own]), ...foreignAnchors(title)]) add(other, id);
  }
  for (const id of inTexts) add(id, id);
  return { headings, inTexts };
}

function contextOf(
  page: PageToPrepare,
  { headings, inTexts, document, pictures }: Anchors & { document: RichDocument; pictures: Set<string> },
): SheetContext {
  const find = anchorFinder(anchors(document));
  return {
    page: page.id,
    space: page.space,
    level: page.level,
    isOutlined: page.isOutlined,
    files: page.files,
    published: page.published,
    headings,
    anchors: inTexts,
    last: { level: page.level },
    depth: 0,
    inlineDepth: 0,
    direction: directionOfLanguage(page.language ?? ''),
    breaking: inProse,
    pictures,
    anchorOf: ({ anchor }) => (typeof anchor === 'string' ? (find(anchor) ?? anchor) : ''),
    blocks: blocksOf,
    inlines: inlinesOf,
  };
}
