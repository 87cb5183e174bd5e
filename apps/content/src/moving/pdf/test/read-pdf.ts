import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { fileURLToPath } from 'node:url';

/** A bookmark of a PDF, with those below it. */
export interface Bookmark {
  title: string;
  sheet: number;
  items: Bookmark[];
}

/** A link of a PDF: to an address, or to a sheet of the same file. */
export interface PdfLink {
  from: number;
  url?: string;
  sheet?: number;
}

/** What a PDF says, as programs read it. */
export interface ReadPdf {
  sheets: number;
  title: string;
  isTagged: boolean;
  /** The text of each sheet. */
  texts: string[];
  bookmarks: Bookmark[];
  links: PdfLink[];
}

const fonts = fileURLToPath(new URL('../standard_fonts/', import.meta.resolve('pdfjs-dist/build/pdf.mjs')));

export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0, standardFontDataUrl: fonts });
  const pdf = await task.promise;
  try {
    const info = (await pdf.getMetadata()).info as { Title?: string };
    const texts: string[] = [];
    const links: PdfLink[] = [];
    for (let sheet = 1; sheet <= pdf.numPages; sheet += 1) {
      const page = await pdf.getPage(sheet);
      texts.push(await textOf(page));
      const notes = (await page.getAnnotations()) as { subtype: string; url?: string; dest?: unknown }[];
      for (const one of notes.filter(({ subtype }) => subtype === 'Link')) links.push(await linkOf(pdf, sheet, one));
    }
    const outline: RawBookmark[] | null = await pdf.getOutline();
    return {
      sheets: pdf.numPages,
      title: info.Title ?? '',
      isTagged: (await pdf.getMarkInfo())?.Marked === true,
      texts,
      bookmarks: await bookmarksOf(pdf, outline ?? []),
      links,
    };
  } finally {
    await task.destroy();
  }
}

type Page = Awaited<ReturnType<PDFDocumentProxy['getPage']>>;

async function textOf(page: Page): Promise<string> {
  const { items } = await page.getTextContent();
  return items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
}

interface RawBookmark {
  title: string;
  dest: unknown;
  items: RawBookmark[];
}

async function bookmarksOf(pdf: PDFDocumentProxy, items: readonly RawBookmark[]): Promise<Bookmark[]> {
  const found: Bookmark[] = [];
  for (const { title, dest, items: below } of items)
    found.push({ title, sheet: await sheetOf(pdf, dest), items: await bookmarksOf(pdf, below) });
  return found;
}

async function linkOf(
  pdf: PDFDocumentProxy,
  from: number,
  { url, dest }: { url?: string; dest?: unknown },
): Promise<PdfLink> {
  return url === undefined ? { from, sheet: await sheetOf(pdf, dest) } : { from, url };
}

async function sheetOf(pdf: PDFDocumentProxy, dest: unknown): Promise<number> {
  const place = typeof dest === 'string' ? await pdf.getDestination(dest) : (dest as unknown[] | null);
  const [page] = place ?? [];
  if (page === undefined) return 0;
  return (await pdf.getPageIndex(page as Parameters<PDFDocumentProxy['getPageIndex']>[0])) + 1;
}

/** The words of a text, whatever lines they stand on. */
export function wordsIn(text: string): string[] {
  return text.normalize('NFKC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}
