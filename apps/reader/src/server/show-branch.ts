import { AppError } from '@scriptorium/contracts';
import { branchPage } from '../pages/branch.js';
import type { Frame } from '../pages/frame.js';
import { surroundings, treeAt } from '../pages/links.js';
import { siteView } from '../visit/site-view.js';
import type { Answer } from './answer.js';
import { framed, ownPages, type Inside } from './show-page.js';

/** A part of the navigation of a space. @throws AppError `not_found` for what the navigation does not have */
export async function showBranch(
  { content, carried, theme, consent }: Inside,
  asked: URLSearchParams,
): Promise<Answer> {
  const [published, index] = await Promise.all([content.site(), content.pages()]);
  const view = siteView(published, content.at, carried);
  const id = asked.get('in') ?? '';
  const page = index.byId.get(id);
  const isHidden = [page, ...(index.parents.get(id) ?? [])].some((one) => one?.hidden === true);
  if ((id !== '' && page === undefined) || isHidden) throw new AppError('not_found');
  const from = Number(asked.get('from') ?? 0);
  if (!Number.isSafeInteger(from) || from < 0) throw new AppError('not_found');
  const referred = ownPages(content.at.space, index);
  const self = treeAt(view, id, from);
  const frame: Frame = { view, referred, title: page?.title ?? view.title, isListed: false, theme, consent, self };
  return framed(frame, branchPage(view, index, { within: page, from }, surroundings(view, referred)));
}
