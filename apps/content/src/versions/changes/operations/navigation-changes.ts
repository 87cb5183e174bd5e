import type { ContentChangeResult, ContentReference, TextChange } from '@scriptorium/contracts';
import { addPage, childIds, dissolveGroup, keys, slugFrom, type Page, type PageRecord } from '../../pages/index.js';
import { impossible, type At, type ChangeContext } from '../context.js';
import { idOf, referenceIn } from '../references.js';
import { moveTo, replaceIfChanged, shownPage } from './page-changes.js';
import { placeOf, requirePage } from './places.js';
import { withFields, type Fields } from './page-fields.js';

type Of<O extends TextChange['operation']> = Extract<TextChange, { operation: O }>;

/** Groups stand at the top alone. */
export async function insertGroup(
  context: ChangeContext,
  at: At,
  change: Of<'insert_group'>,
): Promise<ContentChangeResult> {
  const { operation: _, ref, at: index, title, slug, ...fields } = change;
  const group = { type: 'group', title, slug: slugFrom(slug, title) } as const;
  const made = await insert(context, at, { ref, page: group, fields, place: { into: null, at: index } });
  return { object: 'created_group', ...(ref === undefined ? {} : { ref }), page: await shownPage(context, made) };
}

export async function updateGroup(
  context: ChangeContext,
  at: At,
  change: Of<'update_group'>,
): Promise<ContentChangeResult> {
  const { operation: _, page: named, at: index, title, slug, ...fields } = change;
  const group = await requirePage(context, at, named, 'group');
  const moved = await moveTo(context, at, group, { at: index });
  const nextTitle = title ?? moved.title;
  const texts = {
    title: nextTitle,
    ...(slug === undefined ? {} : { slug: slugFrom(slug, nextTitle) }),
  };
  const shown = await update(context, at, { page: moved, texts, fields });
  return { object: 'updated_group', page: await shownPage(context, shown) };
}

export async function deleteGroup(
  context: ChangeContext,
  at: At,
  change: Of<'delete_group'>,
): Promise<ContentChangeResult> {
  const group = await requirePage(context, at, change.page, 'group');
  if (group.condition !== undefined && (await childIds(context.draft, group.id)).length > 0)
    throw impossible(at, 'page', 'The pages in it would lose its condition: move or delete them first, or remove it');
  for (const { id } of await dissolveGroup(context.draft, group)) context.note('page_moved', id);
  context.note('page_deleted', group.id);
  return { object: 'deleted_group', page: group.id };
}

export async function insertLink(
  context: ChangeContext,
  at: At,
  change: Of<'insert_link'>,
): Promise<ContentChangeResult> {
  const { operation: _, ref, into, at: index, title, target, ...fields } = change;
  const link = { type: 'link', title, target: referenceIn(context, target) } as const;
  const made = await insert(context, at, { ref, page: link, fields, place: { into, at: index } });
  return { object: 'created_link', ...(ref === undefined ? {} : { ref }), page: shownLink(context, made) };
}

export async function updateLink(
  context: ChangeContext,
  at: At,
  change: Of<'update_link'>,
): Promise<ContentChangeResult> {
  const { operation: _, page: named, into, at: index, title, target, ...fields } = change;
  const link = await requirePage(context, at, named, 'link');
  const moved = await moveTo(context, at, link, { into, at: index });
  const texts = {
    ...(title === undefined ? {} : { title }),
    ...(target === undefined ? {} : { target: referenceIn(context, target) }),
  };
  const shown = await update(context, at, { page: moved, texts, fields });
  return { object: 'updated_link', page: shownLink(context, shown) };
}

export async function insertComputed(
  context: ChangeContext,
  at: At,
  change: Of<'insert_computed'>,
): Promise<ContentChangeResult> {
  const { operation: _, ref, into, at: index, title: named, slug, computed: given, ...fields } = change;
  const computed = sourceIn(context, given);
  const title = named ?? (await titleOf(context, computed));
  const page = {
    type: 'computed',
    title,
    slug: slugFrom(slug, title),
    computed,
  } as const;
  const made = await insert(context, at, { ref, page, fields, place: { into, at: index } });
  return { object: 'created_page', ...(ref === undefined ? {} : { ref }), page: await shownPage(context, made) };
}

type Source = Of<'insert_computed'>['computed'];

/** A source that names a file of the request by its id. */
function sourceIn(context: ChangeContext, source: Source): Source {
  if (isOpenAPI(source)) return { ...source, dependencies: { spec: dependencyIn(context, source.dependencies.spec) } };
  const { dependencies } = source;
  if (dependencies === undefined) return source;
  const named = Object.entries(dependencies).map(([name, one]) => [name, dependencyIn(context, one)] as const);
  return { ...source, dependencies: Object.fromEntries(named) };
}

function dependencyIn<R extends ContentReference>(context: ChangeContext, { ref }: { ref: R }): { ref: R } {
  return { ref: referenceIn(context, ref) };
}

/** The name of the specification, or of its file; the id of the source of an integration. */
async function titleOf({ draft }: ChangeContext, source: Source): Promise<string> {
  if (!isOpenAPI(source)) return source.type.split(':')[2] ?? '';
  const { ref } = source.dependencies.spec;
  if (ref.kind === 'openapi') return ref.spec;
  const file = (await draft.get(keys.file(ref.file))) as { name: string } | undefined;
  return file?.name.replace(/\.[^.]+$/, '') || 'API';
}

function isOpenAPI(source: Source): source is Extract<Source, { type: 'builtin:openapi' }> {
  return source.type === 'builtin:openapi';
}

interface Insertion {
  ref: string | undefined;
  page: Omit<PageRecord, 'parent' | 'order' | 'createdAt' | 'updatedAt'>;
  fields: Fields;
  place: { into?: string | null | undefined; at?: number | undefined };
}

async function insert(context: ChangeContext, at: At, { ref, page, fields, place }: Insertion): Promise<Page> {
  const { draft, now, note } = context;
  const id = ref === undefined ? context.newId(at.path) : idOf(context, ref);
  const where = await placeOf(context, at, place);
  const record = await withFields(context, at, { ...page, createdAt: now, updatedAt: now }, fields);
  const made = await addPage(draft, id, record, where);
  note('page_created', id);
  return made;
}

async function update(
  context: ChangeContext,
  at: At,
  { page, texts, fields }: { page: Page; texts: Partial<PageRecord>; fields: Fields },
): Promise<Page> {
  const { id, parent, order, ...own } = page;
  const next = await withFields(context, at, { ...own, ...texts }, fields);
  return replaceIfChanged(context, page, { ...next, id, order, ...(parent === undefined ? {} : { parent }) });
}

function shownLink({ location }: ChangeContext, { id, title }: Page) {
  return { id, title, urls: { location: `${location}/page/${id}` } };
}
