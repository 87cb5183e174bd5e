import type { SummaryEntry } from '../../archive-format/index.js';
import { htmlTokens, shownText } from '../html-tokens.js';
import { isHtmlPage, isPageFile, type Files } from '../folder.js';

/** The file with the navigation of a space that Confluence has exported as HTML. */
export const htmlIndexPath = 'index.html';

/** The files of a folder that can be a space of Confluence: HTML, and no markdown. Otherwise none. */
export function htmlSpaceIn(files: Files, summaryPath: string | undefined): Files {
  return summaryPath === undefined && ![...files.keys()].some(isPageFile) ? files : new Map();
}

type PageEntry = Extract<SummaryEntry, { type: 'page' }>;

/**
 * The pages of an index, as its nested list has them. `undefined` for other HTML: it has no element `main-content`, or
 * lists no page that is there.
 */
export function entriesOfIndex(files: Files, html: string): SummaryEntry[] | undefined {
  if (!/\bid=["']main-content["']/.test(html)) return undefined;
  const index: Index = { files, top: [], lists: [], open: undefined };
  for (const token of htmlTokens(html)) {
    if ('text' in token) addText(index, token.text);
    else if (token.name === 'ul') addList(index, token.isEnd);
    else if (token.name === 'a') addLink(index, token.isEnd ? '' : token.attribute('href'));
  }
  return index.top.length === 0 ? undefined : index.top;
}

interface Index {
  files: Files;
  top: SummaryEntry[];
  /** The lists around, with the pages of each. */
  lists: SummaryEntry[][];
  /** The page whose title is being read. */
  open: PageEntry | undefined;
}

function addText({ open }: Index, text: string): void {
  if (open !== undefined) open.title += text;
}

function addList({ lists, top }: Index, isEnd: boolean): void {
  if (isEnd) lists.pop();
  else lists.push(listIn(lists, top));
}

/** A link begins, or the one before it ends: then its path is empty. */
function addLink(index: Index, path: string): void {
  const { files, lists, open } = index;
  if (open !== undefined) open.title = shownText(open.title);
  index.open = isHtmlPage(path) && files.has(path) ? { type: 'page', title: '', path, entries: [] } : undefined;
  const list = lists.at(-1);
  if (list === undefined) index.open = undefined;
  else if (index.open !== undefined) list.push(index.open);
}

/** What a list within others adds to: the pages in the last page of the list around it. */
function listIn(lists: readonly SummaryEntry[][], top: SummaryEntry[]): SummaryEntry[] {
  const around = lists.at(-1);
  const last = around?.at(-1);
  if (last !== undefined && 'entries' in last) return last.entries;
  return around ?? top;
}
