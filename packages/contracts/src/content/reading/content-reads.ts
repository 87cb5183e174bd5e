import * as z from 'zod';
import { readerTokens } from '../../kernel/access.js';
import { Id, listOf, paging } from '../../kernel/common.js';
import { openToInstallations } from '../../kernel/integration-access.js';
import { operation, type Operation } from '../../kernel/operation.js';
import { documentQuery, shareKeyQuery, viewQuery } from '../shapes/content-query.js';
import { ContentFile } from '../shapes/file.js';
import { Page } from '../shapes/page.js';
import { ReusableContentWithDocument } from '../shapes/reusable-content.js';
import { Revision } from '../shapes/revision.js';

/** Path of a page below its space. Parts are separated by slashes. */
const PagePath = z
  .string()
  .max(2048)
  .regex(/^[^/]+(\/[^/]+)*$/, 'Must be parts with a slash between each two')
  .meta({ description: 'Path of a page, as its `path`.' });

const documentView = z.object({ ...viewQuery, ...documentQuery });

/** Where content is read: in the main content of a space, in a change request, or in a revision. */
interface Place<S extends z.ZodRawShape> {
  /** The path that the paths of the operations begin with. */
  path: string;
  /** The parameters of `path`. */
  params: S;
  /** How summaries name it. */
  name: string;
  history?: Operation['history'];
  ids: Record<'revision' | 'pages' | 'files' | 'file' | 'page' | 'pageByPath' | 'reusableContent', string>;
}

/** What every read of content has. */
export const readsContent = {
  service: 'content',
  tag: 'Content',
  method: 'GET',
  access: openToInstallations(
    { tokens: readerTokens, scope: 'space:read', resource: 'space', view: ['read'], allow: ['read'] },
    'space:content:read',
  ),
} as const;

/** The reads of the content of one place. */
export function contentReads<S extends z.ZodRawShape>(place: Place<S>) {
  return { ...wholeReads(place), ...partReads(place), ...pageReads(place) };
}

/** The reads of everything, and of all of one kind. */
function wholeReads<S extends z.ZodRawShape>({ path, params, name, history, ids }: Place<S>) {
  const base = { ...readsContent, params: z.object(params), history };
  return {
    revision: operation({
      ...base,
      id: ids.revision,
      path,
      summary: `Get ${name}: all pages, files, reusable contents and variables`,
      query: z.object({ ...viewQuery, ...shareKeyQuery }),
      response: Revision,
    }),
    pages: operation({
      ...base,
      id: ids.pages,
      path: `${path}/pages`,
      summary: `Get the tree of the pages of ${name}`,
      query: z.object(viewQuery),
      response: z.object({ pages: z.array(Page) }),
    }),
    files: operation({
      ...base,
      id: ids.files,
      path: `${path}/files`,
      summary: `List the files of ${name} by name`,
      query: z.object({ ...paging, ...viewQuery }),
      response: listOf(ContentFile),
    }),
  };
}

/** The reads of one file or reusable content. */
function partReads<S extends z.ZodRawShape>({ path, params, name, history, ids }: Place<S>) {
  const base = { ...readsContent, history };
  const within = z.object(params);
  return {
    file: operation({
      ...base,
      id: ids.file,
      path: `${path}/files/{fileId}`,
      summary: `Get a file of ${name}`,
      params: within.extend({ fileId: Id }),
      query: z.object(viewQuery),
      response: ContentFile,
    }),
    reusableContent: operation({
      ...base,
      id: ids.reusableContent,
      path: `${path}/reusable-contents/{reusableContentId}`,
      summary: `Get a reusable content of ${name}, with its document`,
      params: within.extend({ reusableContentId: Id }),
      query: documentView,
      response: ReusableContentWithDocument,
    }),
  };
}

/** The reads of one page. */
function pageReads<S extends z.ZodRawShape>({ path, params, name, history, ids }: Place<S>) {
  const base = { ...readsContent, history, query: documentView, response: Page };
  const within = z.object(params);
  return {
    page: operation({
      ...base,
      id: ids.page,
      path: `${path}/page/{pageId}`,
      summary: `Get a page of ${name}, with its document`,
      params: within.extend({ pageId: Id }),
    }),
    pageByPath: operation({
      ...base,
      id: ids.pageByPath,
      path: `${path}/path/{pagePath}`,
      rest: 'pagePath',
      summary: `Get a page of ${name} by its path, with its document`,
      params: within.extend({ pagePath: PagePath }),
    }),
  };
}
