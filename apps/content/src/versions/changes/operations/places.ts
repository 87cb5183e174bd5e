import {
  chainOf,
  deepest,
  findPage,
  withDescendants,
  type Page,
  type PagePlace,
  type PageRecord,
} from '../../pages/index.js';
import { impossible, type At, type ChangeContext } from '../context.js';
import { idOf } from '../references.js';

const kinds = { document: 'page', group: 'group', link: 'link', computed: 'computed page' } as const;

/**
 * The page that a change names, of one of these types. @throws AppError `content_change_invalid` when it is not there
 */
export async function requirePage(
  context: ChangeContext,
  at: At,
  named: string,
  ...types: PageRecord['type'][]
): Promise<Page> {
  const page = await findPage(context.draft, idOf(context, named));
  if (page === undefined) throw impossible(at, 'page', 'There is no such page');
  if (!types.includes(page.type)) throw impossible(at, 'page', `It is a ${kinds[page.type]}`);
  return page;
}

/**
 * Where a page is put. `moved`: the page that is moved there, which cannot come to stand in itself.
 * @throws AppError `content_change_invalid` naming the field
 */
export async function placeOf(
  context: ChangeContext,
  at: At,
  { into, at: index }: { into?: string | null | undefined; at?: number | undefined },
  moved?: Page,
): Promise<PagePlace> {
  if (into === undefined || into === null) return { parent: undefined, at: index };
  const { draft } = context;
  const parent = await findPage(draft, idOf(context, into));
  if (parent === undefined) throw impossible(at, 'into', 'There is no such page or group');
  if (parent.type === 'link' || parent.type === 'computed')
    throw impossible(at, 'into', `A ${kinds[parent.type]} contains no pages`);
  const chain = await chainOf(draft, parent);
  if (moved !== undefined && chain.some(({ id }) => id === moved.id))
    throw impossible(at, 'into', 'A page cannot be in itself');
  const height = moved === undefined ? 1 : await heightOf(context, moved);
  if (chain.length + height > deepest) throw impossible(at, 'into', `Pages are at most ${deepest} deep`);
  return { parent: parent.id, at: index };
}

/** How many levels a page and what is in it take. */
async function heightOf({ draft }: ChangeContext, page: Page): Promise<number> {
  const level = new Map([[page.id, 1]]);
  // Parents come before their children.
  for (const { id, parent } of await withDescendants(draft, page))
    if (id !== page.id) level.set(id, (level.get(parent ?? '') ?? 0) + 1);
  return Math.max(...level.values());
}
