import {
  AppError,
  type EmbeddedRevision,
  type Page as ShownPage,
  type PageMetaLinks,
  type ReusableContentWithDocument,
  type Revision,
  type RichDocument as ShownDocument,
} from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { forClients, type RichDocument } from '@scriptorium/rich-text';
import {
  attributesOf,
  type FileRecord,
  findPage,
  idIn,
  keys,
  pageAt,
  type Page,
  type PageRecord,
  type ReusableContentRecord,
  variablesOf,
} from '../../versions/index.js';
import { inForm, prepared, type DocumentForm, type SeenDocument } from './documents/document-form.render.js';
import { allFiles, shownFile } from './files.queries.js';
import { renderPage, renderTree } from './view/pages.render.js';
import type { SeenContent } from '../page-visibility/index.js';
import { requireRevision, type ContentView } from './view/view.queries.js';

/** A revision with all its pages, files, reusable contents and variables. */
export async function getRevision(scope: Scope, seen: SeenContent, view: ContentView): Promise<Revision> {
  const { urls } = scope;
  const { tree, root, reader } = view;
  const variables = await variablesOf(tree);
  const reached = reader === undefined ? undefined : await seen.reached(scope, { tree, root, reader });
  const all = await tree.range(keys.reusableContents);
  const contents = reached === undefined ? all : all.filter(([key]) => reached.reusableContents.has(idIn(key)));
  return {
    ...(await getEmbeddedRevision(scope, view)),
    pages: await renderTree(view, urls),
    files: await allFiles(scope, seen, view),
    reusableContents: contents.map(([key, record]) => ({ id: idIn(key), title: titleIn(record) })),
    ...(Object.keys(variables).length === 0 ? {} : { variables }),
  };
}

/**
 * What the entity tag of a revision depends on besides the revision: whether it shows addresses of files, which end.
 */
export async function readForTag(scope: Scope, seen: SeenContent, view: ContentView): Promise<void> {
  if (view.reader !== undefined) return void (await allFiles(scope, seen, view));
  const [first] = await view.tree.range(keys.files, { limit: 1 });
  if (first !== undefined) shownFile(view, idIn(first[0]), first[1] as FileRecord);
}

/** A revision without its content, as answers embed it. */
export async function getEmbeddedRevision(scope: Scope, view: ContentView): Promise<EmbeddedRevision> {
  const { urls } = scope;
  const { space, organization } = view;
  const revision = await requireRevision(scope, space, view.revision);
  return {
    object: 'revision',
    id: view.revision,
    parents: revision.parents,
    type: revision.type,
    ...(revision.mergedFrom === null || view.reader !== undefined
      ? {}
      : { mergedFrom: { object: 'change-request' as const, id: revision.mergedFrom } }),
    createdAt: revision.createdAt,
    pages: [],
    files: [],
    reusableContents: [],
    urls: { app: `${urls.app}/o/${organization}/s/${space}/~/revisions/${view.revision}` },
  };
}

function titleIn(record: unknown): string {
  return (record as ReusableContentRecord).title;
}

export async function listPages({ urls }: Scope, view: ContentView): Promise<{ pages: ShownPage[] }> {
  return { pages: await renderTree(view, urls) };
}

/** The page with an id, or at a path. @throws AppError `not_found` */
export async function requirePage({ tree }: ContentView, which: { id: string } | { path: string }): Promise<Page> {
  const page = 'id' in which ? await findPage(tree, which.id) : await pageAt(tree, which.path);
  if (page === undefined) throw new AppError('not_found');
  return page;
}

/** A page with its document. */
export async function getPage(scope: Scope, view: ContentView, page: Page, form: DocumentForm): Promise<ShownPage> {
  const shown = await renderPage(view, page, scope.urls);
  const seen = await documentOf(view, page);
  if (shown.type !== 'document' || seen === undefined) return shown;
  return { ...shown, ...(await answered(scope, view, seen, form)) };
}

/** The page that this one repeats, and where else it is. */
export async function getMetaLinks(view: ContentView, id: string): Promise<PageMetaLinks> {
  const { metaLinks = {} } = await attributesOf(view.tree, await requirePage(view, { id }));
  return metaLinks;
}

/** The document of a page alone. @throws AppError `not_found` for a page without one */
export async function getPageDocument(
  scope: Scope,
  view: ContentView,
  page: Page,
  form: Pick<DocumentForm, 'evaluated' | 'dereferenced'>,
): Promise<ShownDocument> {
  const seen = await documentOf(view, page);
  if (seen === undefined) throw new AppError('not_found');
  return asAnswer(await prepared(scope, view, seen, form));
}

/** The document of a page with everything in it evaluated and resolved; `undefined` for a page without one. */
export async function getWholeDocument(scope: Scope, view: ContentView, page: Page): Promise<RichDocument | undefined> {
  const seen = await documentOf(view, page);
  return seen && prepared(scope, view, seen, { evaluated: true, dereferenced: true });
}

async function documentOf({ tree }: ContentView, page: Page): Promise<SeenDocument | undefined> {
  if (page.document === undefined) return undefined;
  const [document, { variables = {} }] = await Promise.all([tree.object(page.document), attributesOf(tree, page)]);
  return { document: document as RichDocument, page: { id: page.id, title: page.title, variables } };
}

async function answered(scope: Scope, view: ContentView, seen: SeenDocument, form: DocumentForm) {
  const { markdown, document } = await inForm(scope, view, seen, form);
  return {
    ...(markdown === undefined ? {} : { markdown }),
    ...(document === undefined ? {} : { document: asAnswer(document) }),
  };
}

/** The text of a reusable content, whose `document` is the id of its document. */
async function contentOf(scope: Scope, view: ContentView, given: RichDocument, form: DocumentForm) {
  const { document: content, ...markdown } = await answered(scope, view, { document: given }, form);
  return { ...markdown, ...(content === undefined ? {} : { content }) };
}

export async function getReusableContent(
  scope: Scope,
  seen: SeenContent,
  view: ContentView,
  id: string,
  form: DocumentForm,
): Promise<ReusableContentWithDocument> {
  const record = (await view.tree.get(keys.reusableContent(id))) as ReusableContentRecord | undefined;
  const { tree, root, reader } = view;
  const isSeen = reader === undefined || (await seen.reached(scope, { tree, root, reader })).reusableContents.has(id);
  if (record === undefined || !isSeen) throw new AppError('not_found');
  const document = (await view.tree.object(record.document)) as RichDocument;
  return {
    id,
    title: record.title,
    document: view.documents.idOf(record.document),
    ...(await contentOf(scope, view, document, form)),
  };
}

/** A document by its id; for visitors, as the page or reusable content shows it. @throws AppError `not_found` */
export async function getDocument(
  scope: Scope,
  seen: SeenContent,
  view: ContentView,
  id: string,
): Promise<ShownDocument> {
  const { tree, documents, reader } = view;
  const name = documents.nameIn(id);
  if (name === undefined) throw new AppError('not_found');
  if (reader !== undefined) return documentSeen(scope, seen, { ...view, reader }, name);
  const found: Partial<RichDocument> | undefined = (await tree.objects([name])).get(name);
  if (found?.object !== 'document') throw new AppError('not_found');
  return asAnswer(found as RichDocument);
}

async function documentSeen(
  scope: Scope,
  seen: SeenContent,
  view: ContentView & Required<Pick<ContentView, 'reader'>>,
  name: string,
): Promise<ShownDocument> {
  const pages = await view.tree.range(keys.pages);
  const [key, record] = pages.find(([, page]) => (page as PageRecord).document === name) ?? [];
  const form = { evaluated: true, dereferenced: false };
  if (key !== undefined) return getPageDocument(scope, view, { ...(record as PageRecord), id: idIn(key) }, form);
  const { reusableContents } = await seen.reached(scope, view);
  const contents = await view.tree.getMany([...reusableContents].map(keys.reusableContent));
  if (![...contents.values()].some((content) => (content as ReusableContentRecord).document === name))
    throw new AppError('not_found');
  return asAnswer(await prepared(scope, view, { document: (await view.tree.object(name)) as RichDocument }, form));
}

/** A document as the contract has it, where nodes are any objects. */
function asAnswer(document: RichDocument): ShownDocument {
  return forClients(document);
}
