import type { Scope } from '@scriptorium/platform';
import { getWholeDocument, type ContentView } from '../../reading/index.js';
import { contentTree, keys, type FileRecord } from '../../versions/index.js';
import { links, type RichDocument } from '@scriptorium/rich-text';
import { changedPages, type ChangedPages } from './changed-pages.queries.js';
import { chosenPages, type PlacedPage } from './chosen-pages.js';
import type { PageToPrepare } from './document/prepare-page.task.js';
import type { NamedFile } from './document/sheet-context.js';
import { readAs, type PdfSources } from './open-wish.process.js';
import type { Wish } from './wish.js';

/** A page of a PDF before its document is read. */
export interface PlannedPage extends PlacedPage {
  change?: 'added' | 'changed' | 'removed';
}

/** The pages of a PDF, in their order. */
export interface PdfPlan {
  view: ContentView;
  /** The content before the change request. */
  former?: ContentView | undefined;
  pages: readonly PlannedPage[];
  changes?: ChangedPages | undefined;
}

/** Plans the pages of a PDF. @throws AppError `not_found`, `invalid_request` */
export async function planPages(scope: Scope, sources: PdfSources, wish: Wish, view: ContentView): Promise<PdfPlan> {
  const { page, only, request } = wish;
  const all = await chosenPages(view.tree, { page, only, isForVisitor: wish.reader !== undefined });
  if (request === undefined) return { view, pages: all };
  const { pool } = view.tree;
  const changes = await changedPages(sources.objects, pool, { before: request.before, after: view.stored });
  const former = await formerView(scope, sources, view, request.before);
  if (!wish.changes) return { view, former, pages: all, changes };
  const kept = all.flatMap((one): PlannedPage[] => {
    const { id } = one.page;
    if (changes.added.has(id)) return [{ ...one, depth: 0, change: 'added' }];
    return changes.changed.has(id) ? [{ ...one, depth: 0, change: 'changed' }] : [];
  });
  const removed = page === undefined ? [...changes.removed] : [];
  const gone = removed.map(([id, record]): PlannedPage => ({ page: { ...record, id }, depth: 0, change: 'removed' }));
  return { view, former, pages: [...kept, ...gone.filter((one) => one.page.type !== 'link')], changes };
}

function formerView(scope: Scope, sources: PdfSources, view: ContentView, root: string): Promise<ContentView> {
  const tree = contentTree(sources.objects, view.tree.pool, root);
  return readAs(scope, sources, { ...view, tree, root, stored: root }, {});
}

/** A page with everything that its part of the PDF is made of. */
export async function pageToPrepare(
  scope: Scope,
  wish: Wish,
  { view, former, pages, changes }: PdfPlan,
  { page, depth, change }: PlannedPage,
): Promise<PageToPrepare> {
  const shown = change === 'removed' && former !== undefined ? former : view;
  const document = await getWholeDocument(scope, shown, page);
  const was = change === 'changed' ? changes?.changed.get(page.id) : undefined;
  const before =
    was === undefined || former === undefined
      ? undefined
      : await getWholeDocument(scope, former, { ...was, id: page.id });
  const isWhole = pages.length > 1;
  return {
    id: page.id,
    space: wish.space,
    title: page.title,
    language: wish.language,
    about: page.description,
    level: depth + 1,
    sheet: depth === 0,
    isOutlined: !isWhole,
    published: wish.published,
    ...(document === undefined ? {} : { text: JSON.stringify(document) }),
    ...(change === undefined ? {} : { change }),
    ...(before === undefined ? {} : { before: JSON.stringify(before) }),
    files: await filesIn(shown, [document, before]),
    people: peopleIn([document, before]),
  };
}

/** The users that documents mention. */
function peopleIn(documents: readonly (RichDocument | undefined)[]): string[] {
  const refs = documents.flatMap((document) => (document === undefined ? [] : links(document).map(({ ref }) => ref)));
  return [...new Set(refs.flatMap(({ kind, user }) => (kind === 'user' && typeof user === 'string' ? [user] : [])))];
}

const shownTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml'];

/** The files that documents name. */
async function filesIn(
  view: ContentView,
  documents: readonly (RichDocument | undefined)[],
): Promise<Record<string, NamedFile>> {
  const ids = new Set<string>();
  for (const document of documents)
    for (const { ref } of document === undefined ? [] : links(document)) {
      const { kind, file } = ref;
      if (kind === 'file' && typeof file === 'string') ids.add(file);
    }
  const records = await view.tree.getMany([...ids].map(keys.file));
  const files = [...ids].flatMap((id): [string, NamedFile][] => {
    const record = records.get(keys.file(id)) as FileRecord | undefined;
    return record === undefined ? [] : [[id, namedFile(view, id, record)]];
  });
  return Object.fromEntries(files);
}

function namedFile({ isPublic, files, space }: ContentView, id: string, record: FileRecord): NamedFile {
  const url = isPublic === true ? files.publicUrlOf(record, { space, id }) : undefined;
  const isPicture = shownTypes.includes(record.contentType);
  return { name: record.name, isPicture, url, width: record.dimensions?.width };
}
