import { AppError, type ContentChangeResult, type TextChange } from '@scriptorium/contracts';
import { withoutConflicts, type Block, type RichDocument } from '@scriptorium/rich-text';
import type { ContentTree } from '../../object-store/index.js';
import { addPage, findPage, type Page, type PagePlace } from '../../pages/index.js';
import { impossible, type At, type ChangeContext } from '../context.js';
import { idOf } from '../references.js';
import { replaceIfChanged, shownPage } from './page-changes.js';
import { placeOf } from './places.js';

type RevertPage = Extract<TextChange, { operation: 'revert_page' }>;

/**
 * Makes a page what it was in a revision, with its document and its fields but not its place; one that was deleted
 * comes back. With `block`, only these blocks of its document.
 */
export async function revertPage(context: ChangeContext, at: At, change: RevertPage): Promise<ContentChangeResult> {
  const tree = await context.revision(change.revision);
  if (tree === undefined) throw impossible(at, 'revision', 'There is no such revision');
  const id = idOf(context, change.page);
  const then = await findPage(tree, id);
  if (then === undefined) throw impossible(at, 'page', 'The page is not in that revision');
  const now = await findPage(context.draft, id);
  const shown =
    change.block === undefined
      ? await revertWhole(context, at, { then, now, tree })
      : await revertBlocks(context, at, { then, now, tree, blocks: change.block });
  return { object: 'updated_page', page: await shownPage(context, shown) };
}

interface Reverted {
  then: Page;
  now: Page | undefined;
  tree: ContentTree;
}

async function revertWhole(context: ChangeContext, at: At, { then, now, tree }: Reverted): Promise<Page> {
  const { draft } = context;
  if (then.attributes !== undefined) draft.add(await tree.object(then.attributes));
  const document = then.document === undefined ? undefined : draft.add(await documentOf(context, tree, then.document));
  const { id, parent, order: _, ...plain } = then;
  const record = { ...plain, ...(document === undefined ? {} : { document }) };
  if (now === undefined) {
    const isThere = parent === undefined || (await findPage(draft, parent)) !== undefined;
    const place = await formerPlace(context, at, isThere ? (parent ?? null) : null);
    const made = await addPage(draft, id, { ...record, updatedAt: context.now }, place);
    context.note('page_created', id);
    return made;
  }
  const place = { id, order: now.order, ...(now.parent === undefined ? {} : { parent: now.parent }) };
  const { createdAt, updatedAt } = now;
  return replaceIfChanged(context, now, { ...record, createdAt, updatedAt, ...place });
}

/** Where a page comes back. The request names the page alone, so a refusal does, too. */
async function formerPlace(context: ChangeContext, at: At, into: string | null): Promise<PagePlace> {
  try {
    return await placeOf(context, at, { into });
  } catch (error) {
    const [detail] = error instanceof AppError && error.reason === 'content_change_invalid' ? error.details : [];
    throw detail === undefined ? error : impossible(at, 'page', `It cannot come back where it was: ${detail.message}`);
  }
}

/** A document of a revision, without the markers of conflicts that were resolved since. */
async function documentOf({ openConflicts }: ChangeContext, tree: ContentTree, name: string): Promise<RichDocument> {
  return withoutConflicts((await tree.object(name)) as RichDocument, openConflicts);
}

async function revertBlocks(
  context: ChangeContext,
  at: At,
  { then, now, tree, blocks }: Reverted & { blocks: readonly string[] },
): Promise<Page> {
  const { draft } = context;
  if (now?.document === undefined) throw impossible(at, 'page', 'There is no such page');
  if (then.document === undefined) throw impossible(at, 'page', 'The page had no document in that revision');
  const before = await documentOf(context, tree, then.document);
  const present = (await draft.object(now.document)) as RichDocument;
  const document = draft.add(withBlocksOf(present, before, blocks, at));
  return replaceIfChanged(context, now, { ...now, document });
}

/**
 * The document with these top-level blocks as they were: replaced, put back behind their former neighbour, or removed.
 */
function withBlocksOf(present: RichDocument, before: RichDocument, blocks: readonly string[], at: At): RichDocument {
  const former = new Map(before.nodes.map((node) => [node.key, node]));
  const isThere = (key: string): boolean => former.has(key) || present.nodes.some((node) => node.key === key);
  const unknown = blocks.findIndex((key) => !isThere(key));
  if (unknown >= 0) throw impossible(at, `block[${unknown}]`, 'There is no such block at the top of the document');
  const wanted = new Set(blocks);
  const isWanted = ({ key }: Block): boolean => key !== undefined && wanted.has(key);
  const nodes = present.nodes.flatMap((node) => (isWanted(node) ? (former.get(node.key) ?? []) : [node]));
  for (const [index, node] of before.nodes.entries()) {
    if (!isWanted(node) || nodes.some(({ key }) => key === node.key)) continue;
    const above = before.nodes.slice(0, index).reverse();
    const neighbour = above.find(({ key }) => nodes.some((other) => other.key === key));
    const place = neighbour === undefined ? 0 : nodes.findIndex(({ key }) => key === neighbour.key) + 1;
    nodes.splice(place, 0, node);
  }
  return { ...present, nodes };
}
