import { AppError, type ContentFile, type Page, type Pdf, type PublishedContent } from '@scriptorium/contracts';
import { links, type ContentRef, type RichDocument } from '@scriptorium/rich-text';
import type { Api, ReadOptions } from './api.js';
import type { PublishedSite } from './site-view.js';
import { pageIndex, type DocumentPage, type PageIndex } from './pages.js';

/** Reads what a visitor is shown, with the token that an address was answered with. */
export interface Content {
  at: PublishedContent;
  site(): Promise<PublishedSite>;
  pages(space?: string): Promise<PageIndex>;
  page(page: DocumentPage): Promise<DocumentPage>;
  text(name: string): Promise<string>;
  /** The address of a PDF of a page: alone, or with the pages in it. */
  pdf(page: string, only: boolean): Promise<string>;
  /** The same of another space of the site. */
  inSpace(space: string): Content;
  /** The same at another address of the site. */
  elsewhere(at: PublishedContent): Content;
  /** The files of this space that these ids name, as far as they are shown. */
  files(ids: readonly string[]): Promise<ReadonlyMap<string, ContentFile>>;
}

/** Addresses of files are good for an hour. */
const filesFreshMs = 20 * 60_000;
/** Addresses of PDFs are good for an hour, too, but lead to what the page was when they were made. */
const pdfsFreshMs = 60_000;
/** Files of one page. */
const mostFiles = 300;

/** One request of a visitor. */
export interface Visit {
  signal: AbortSignal;
  from: string;
  /** What was read for it. */
  reads: Map<string, Promise<unknown>>;
}

export function createContent(api: Api, at: PublishedContent, context: string, visit: Visit): Content {
  const { space, site, organization, apiToken: token, changeRequest, revision } = at;
  const options: ReadOptions = { token, context, signal: visit.signal, visitor: visit.from };
  const root = (id: string): string =>
    id === space && changeRequest !== undefined
      ? `/spaces/${id}/change-requests/${changeRequest}/content`
      : id === space && revision !== undefined
        ? `/spaces/${id}/revisions/${revision}`
        : `/spaces/${id}/content`;
  const ofSite = `/orgs/${organization}/sites/${site}/published`;
  const read = <T>(path: string, query = {}, more = {}): Promise<T> =>
    api.read<T>(path, query, { ...options, ...more });
  // Asked for once for a page, also when its address is looked for first.
  const once = <T>(path: string): Promise<T> => {
    const made = visit.reads.get(path) ?? read<T>(path);
    visit.reads.set(path, made);
    return made as Promise<T>;
  };
  const content: Content = {
    at,
    site: () => once(ofSite),
    pages: async (id = space) => pageIndex((await once<{ pages: Page[] }>(`${root(id)}/pages`)).pages),
    async page({ id }) {
      const query = { format: 'document', evaluated: true, dereferenced: true };
      const page = await read<Page>(`${root(space)}/page/${id}`, query);
      if (page.type !== 'document') throw new AppError('not_found');
      return page;
    },
    text: (name) => read(`${ofSite}/${name}`),
    pdf: async (page, only) => (await read<Pdf>(`${ofSite}/pdf`, { space, page, only }, { freshMs: pdfsFreshMs })).url,
    inSpace: (id) => (id === space ? content : content.elsewhere(mainOf(at, id))),
    elsewhere: (other) => createContent(api, other, context, visit),
    files: (ids) => filesOf(ids, (id) => read(`${root(space)}/files/${id}`, {}, { freshMs: filesFreshMs })),
  };
  return content;
}

/** An address of the main content of another space. */
function mainOf({ changeRequest: _, revision: __, ...at }: PublishedContent, space: string): PublishedContent {
  return { ...at, space };
}

/** The files with these ids, without those that are not shown. */
async function filesOf(
  ids: readonly string[],
  read: (id: string) => Promise<ContentFile>,
): Promise<Map<string, ContentFile>> {
  const files = await Promise.all([...new Set(ids)].slice(0, mostFiles).map((id) => read(id).catch(unlessMissing)));
  return new Map(files.flatMap((file) => (file === undefined ? [] : [[file.id, file] as const])));
}

/** What a visitor is not shown is left out. */
export function unlessMissing(error: unknown): undefined {
  if (error instanceof AppError && (error.reason === 'not_found' || error.reason === 'forbidden')) return undefined;
  throw error;
}

/** Other spaces whose pages a page links to, at most. */
const mostSpaces = 10;

/** What a page refers to: files of its space, and other spaces. */
export function referredTo(
  { document, cover, metaLinks }: DocumentPage,
  space: string,
): { files: string[]; spaces: string[] } {
  const refs: ContentRef[] = document === undefined ? [] : links(document as RichDocument).map(({ ref }) => ref);
  if (cover !== undefined) refs.push(cover.ref, ...(cover.refDark === undefined ? [] : [cover.refDark]));
  if (metaLinks?.canonical !== undefined) refs.push(metaLinks.canonical);
  const text = (ref: ContentRef, name: string): string => (typeof ref[name] === 'string' ? ref[name] : '');
  const own = (ref: ContentRef): boolean => [undefined, space].includes(ref['space'] as string | undefined);
  const files = refs.filter((ref) => ref.kind === 'file' && own(ref)).map((ref) => text(ref, 'file'));
  const spaces = refs
    .filter((ref) => ['page', 'anchor'].includes(ref.kind) && !own(ref))
    .map((ref) => text(ref, 'space'));
  return { files: files.filter(Boolean), spaces: [...new Set(spaces)].filter(Boolean).slice(0, mostSpaces) };
}
