import type { TextChange } from '@scriptorium/contracts';
import type { Draft } from '../object-store/index.js';
import { childIds, findPage, keys, type Page } from '../pages/index.js';

const title = 'Page';

/** What a space begins with unless somebody says otherwise: one page without a text. */
export const onePage: readonly TextChange[] = [{ operation: 'insert_page', title, document: { markdown: '' } }];

/** The page that a space begins with, if the first revision of that space has nothing else. */
export async function initialPage(draft: Draft): Promise<Page | undefined> {
  if ((await draft.count(keys.pages)) !== 1) return undefined;
  const [id] = await childIds(draft, undefined, { limit: 1 });
  const page = id === undefined ? undefined : await findPage(draft, id);
  return page?.title === title ? page : undefined;
}
