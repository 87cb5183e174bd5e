import type { ContentChangeResult, TextChange } from '@scriptorium/contracts';
import { isSame } from '@scriptorium/tree';
import {
  addPage,
  findPage,
  movePage,
  pathOf,
  removePages,
  replacePage,
  slugFrom,
  type Page,
  type PageRecord,
} from '../../pages/index.js';
import type { At, ChangeContext } from '../context.js';
import { idOf } from '../references.js';
import { titleIn } from '../parsing/parse-page.js';
import { readDocument } from '../documents/read-document.process.js';
import { fieldsOf } from './front-matter-fields.js';
import { withFields } from './page-fields.js';
import { placeOf, requirePage } from './places.js';

type Of<O extends TextChange['operation']> = Extract<TextChange, { operation: O }>;

export async function insertPage(
  context: ChangeContext,
  at: At,
  change: Of<'insert_page'>,
): Promise<ContentChangeResult> {
  const { draft, now, note } = context;
  const { operation: _, ref, document: given, into, at: index, title: named, slug, ...fields } = change;
  const id = ref === undefined ? context.newId(at.path) : idOf(context, ref);
  const place = await placeOf(context, at, { into, at: index });
  const read = await readDocument(context, given, {
    record: undefined,
    parent: place.parent,
    previous: undefined,
    titles: {},
  });
  const fromText = fieldsOf(at, read.frontMatter);
  const title = titleIn(read.frontMatter) ?? read.title ?? named ?? 'Untitled';
  const page: Omit<PageRecord, 'parent' | 'order'> = {
    type: 'document',
    title,
    slug: slugFrom(slug, title),
    document: draft.addText(read.document),
    createdAt: now,
    updatedAt: now,
  };
  const made = await addPage(draft, id, await withFields(context, at, page, { ...fields, ...fromText }), place);
  note('page_created', id);
  return { object: 'created_page', ...(ref === undefined ? {} : { ref }), page: await shownPage(context, made) };
}

export async function updatePage(
  context: ChangeContext,
  at: At,
  change: Of<'update_page'>,
): Promise<ContentChangeResult> {
  const { draft } = context;
  const { operation: _, page: named, document: given, into, at: index, title, slug, ...fields } = change;
  const before = await requirePage(context, at, named, 'document');
  const moved = await moveTo(context, at, before, { into, at: index });
  const { id, parent, order, ...own } = moved;
  const previous = own.document;
  const titles = { given: title, own: own.title };
  const read =
    given === undefined ? undefined : await readDocument(context, given, { record: moved, parent, previous, titles });
  const heading = read?.title === own.title ? undefined : read?.title;
  const nextTitle = titleIn(read?.frontMatter) ?? title ?? heading ?? own.title;
  const page = {
    ...own,
    title: nextTitle,
    ...(slug === undefined ? {} : { slug: slugFrom(slug, nextTitle) }),
    ...(read === undefined ? {} : { document: draft.addText(read.document) }),
  };
  const next = await withFields(context, at, page, { ...fields, ...fieldsOf(at, read?.frontMatter) });
  const place = { id, order, ...(parent === undefined ? {} : { parent }) };
  const shown = await replaceIfChanged(context, moved, { ...next, ...place });
  return { object: 'updated_page', page: await shownPage(context, shown) };
}

export async function deletePage(
  context: ChangeContext,
  at: At,
  change: Of<'delete_page'>,
): Promise<ContentChangeResult> {
  const page = await requirePage(context, at, change.page, 'document', 'link', 'computed');
  for (const { id } of await removePages(context.draft, page)) context.note('page_deleted', id);
  return { object: 'deleted_page', page: page.id };
}

/** Moves a page if a place is given. A page stays in its parent unless one is named. */
export async function moveTo(
  context: ChangeContext,
  at: At,
  page: Page,
  wanted: { into?: string | null | undefined; at?: number | undefined },
): Promise<Page> {
  if (wanted.into === undefined && wanted.at === undefined) return page;
  const into = wanted.into === undefined ? (page.parent ?? null) : wanted.into;
  const place = await placeOf(context, at, { into, at: wanted.at }, page);
  if (place.parent === page.parent && wanted.at === undefined) return page;
  const moved = await movePage(context.draft, page, place);
  context.note('page_moved', page.id);
  return moved;
}

/** The page in its next state, with the moment of the change; as it was when nothing differs. */
export async function replaceIfChanged(context: ChangeContext, before: Page, next: Page): Promise<Page> {
  if (isSame(before, next)) return before;
  const replaced = await replacePage(context.draft, before, { ...next, updatedAt: context.now });
  context.note('page_edited', before.id);
  return replaced;
}

/** A page as the answer names it. */
export async function shownPage(context: ChangeContext, { id }: { id: string }) {
  const page = (await findPage(context.draft, id)) as Page;
  const path = await pathOf(context.draft, page);
  return { id, title: page.title, path, urls: { location: `${context.location}/page/${id}` } };
}
