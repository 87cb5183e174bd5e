import type { ContentChangeResult, TextChange } from '@scriptorium/contracts';
import { attributesOf, keys, variablesOf, type ReusableContentRecord } from '../../pages/index.js';
import { impossible, type At, type ChangeContext } from '../context.js';
import { idOf } from '../references.js';
import { readDocument } from '../documents/read-document.process.js';
import { nextVariables, requireRoom, withFields } from './page-fields.js';
import { replaceIfChanged } from './page-changes.js';
import { requirePage } from './places.js';

type Of<O extends TextChange['operation']> = Extract<TextChange, { operation: O }>;

export async function insertReusableContent(
  context: ChangeContext,
  at: At,
  change: Of<'insert_reusable_content'>,
): Promise<ContentChangeResult> {
  const { ref, title } = change;
  const id = ref === undefined ? context.newId(at.path) : idOf(context, ref);
  const { document } = await readDocument(context, change.document, topLevel({ given: title }, undefined));
  put(context, id, { title, document: context.draft.addText(document) });
  context.note('reusable_content_created', id);
  return {
    object: 'created_reusable_content',
    ...(ref === undefined ? {} : { ref }),
    reusableContent: shown(context, id, title),
  };
}

export async function updateReusableContent(
  context: ChangeContext,
  at: At,
  change: Of<'update_reusable_content'>,
): Promise<ContentChangeResult> {
  const { draft } = context;
  const { id, record } = await requireReusableContent(context, at, change.reusableContent);
  const { title = record.title } = change;
  const titles = { given: title, own: record.title };
  const read =
    change.document === undefined
      ? undefined
      : await readDocument(context, change.document, topLevel(titles, record.document));
  const document = read === undefined ? record.document : draft.addText(read.document);
  if (title !== record.title || document !== record.document) {
    put(context, id, { ...record, title, document });
    context.note('reusable_content_edited', id);
  }
  return { object: 'updated_reusable_content', reusableContent: shown(context, id, title) };
}

export async function deleteReusableContent(
  context: ChangeContext,
  at: At,
  change: Of<'delete_reusable_content'>,
): Promise<ContentChangeResult> {
  const { id } = await requireReusableContent(context, at, change.reusableContent);
  context.draft.remove(keys.reusableContent(id));
  context.note('reusable_content_deleted', id);
  return { object: 'deleted_reusable_content', reusableContent: id };
}

/** Variables of the space, or of a page. */
export async function setVariables(
  context: ChangeContext,
  at: At,
  change: Of<'set_variables'>,
): Promise<ContentChangeResult> {
  const { draft } = context;
  if (change.page !== undefined) {
    const page = await requirePage(context, at, change.page, 'document');
    const { variables: own } = await attributesOf(draft, page);
    const variables = nextVariables(own, change.variables);
    const { id, parent, order, ...record } = page;
    const next = await withFields(context, at, record, { variables: change.variables });
    await replaceIfChanged(context, page, { ...next, id, order, ...(parent === undefined ? {} : { parent }) });
    return { object: 'updated_variables', page: id, variables };
  }
  const own = await variablesOf(draft);
  const variables = nextVariables(own, change.variables);
  requireRoom(own, variables, context.mostVariables);
  let isChanged = false;
  for (const [name, value] of Object.entries(change.variables)) {
    if ((own[name] ?? null) === value) continue;
    isChanged = true;
    if (value === null) draft.remove(keys.variable(name));
    else draft.put(keys.variable(name), value);
  }
  if (isChanged) context.note('variables_edited', context.space);
  return { object: 'updated_variables', variables };
}

async function requireReusableContent(context: ChangeContext, at: At, named: string) {
  const id = idOf(context, named);
  const record = (await context.draft.get(keys.reusableContent(id))) as ReusableContentRecord | undefined;
  if (record === undefined) throw impossible(at, 'reusableContent', 'There is no such reusable content');
  return { id, record };
}

function put({ draft }: ChangeContext, id: string, record: ReusableContentRecord): void {
  draft.put(keys.reusableContent(id), { ...record });
}

function shown({ location }: ChangeContext, id: string, title: string) {
  return { id, title, urls: { location: `${location}/reusable-contents/${id}` } };
}

/** Links in a reusable content are relative to the top of the space. */
function topLevel(titles: { given: string; own?: string }, previous: string | undefined) {
  return { record: undefined, parent: undefined, previous, titles };
}
