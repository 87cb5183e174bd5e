import { AppError, type PublishedContent } from '@scriptorium/contracts';
import { pageAt } from '../visit/pages.js';
import { siteView } from '../visit/site-view.js';
import { localPath, redirect, type Answer } from './answer.js';
import { setTheme } from './cookies.js';
import { pathOf, type Inside, type Showing } from './show-page.js';

/** What a form of a page says: one of the two. */
export interface Submitted {
  rating?: 'bad' | 'ok' | 'good';
  theme?: 'light' | 'dark' | 'system';
}

const ratings = ['bad', 'ok', 'good'] as const;
const themes = ['light', 'dark', 'system'] as const;

/** Reads a form; `undefined` for one that no page has. */
export function submittedIn(body: unknown): Submitted | undefined {
  const fields = new URLSearchParams(typeof body === 'string' ? body : '');
  const rating = ratings.find((one) => one === fields.get('rating'));
  if (rating !== undefined) return { rating };
  const theme = themes.find((one) => one === fields.get('theme'));
  return theme === undefined ? undefined : { theme };
}

interface Place {
  address: URL;
  isSecure: boolean;
}

/**
 * Does what a form asks for, and leads back to its page. @throws AppError `not_found` for what the site does not offer
 */
export async function submit(
  { api }: Pick<Showing, 'api'>,
  inside: Inside,
  { rating, theme }: Submitted,
  { address, isSecure }: Place,
): Promise<Answer> {
  const { at } = inside.content;
  const { look } = siteView(await inside.content.site(), at, inside.carried);
  const back = new URL(address);
  if (theme !== undefined && look.themes.toggeable)
    return { ...redirect(localPath(back), 303), cookie: setTheme(theme, { path: at.siteBasePath, isSecure }) };
  if (rating === undefined || !look.feedback.enabled) throw new AppError('not_found');
  const event = await ratedPage(inside, at);
  await api.post(
    `/orgs/${at.organization}/sites/${at.site}/insights/events`,
    { events: [{ type: 'page_feedback', rating, ...event }] },
    { token: at.apiToken, signal: inside.signal, visitor: inside.from },
  );
  back.searchParams.set('rated', rating);
  return redirect(localPath(back), 303);
}

async function ratedPage({ content }: Inside, at: PublishedContent) {
  const found = pageAt(await content.pages(), pathOf(at));
  if (found === undefined || 'within' in found) throw new AppError('not_found');
  return { siteSpace: at.siteSpace, space: at.space, page: found.id };
}
