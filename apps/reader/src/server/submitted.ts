import { AppError, type PublishedContent } from '@scriptorium/contracts';
import { pageAt } from '../visit/pages.js';
import { consentFrom, type Consent, type PageScript } from '../visit/scripts.js';
import { siteView } from '../visit/site-view.js';
import { localPath, redirect, type Answer } from './answer.js';
import { setConsent, setTheme } from './cookies.js';
import { pathOf, type Inside, type Showing } from './show-page.js';

/** What a form of a page says: one of these. */
export interface Submitted {
  rating?: 'bad' | 'ok' | 'good';
  theme?: 'light' | 'dark' | 'system';
  cookies?: Consent | 'again';
}

const ratings = ['bad', 'ok', 'good'] as const;
const themes = ['light', 'dark', 'system'] as const;

/** Reads a form; `undefined` for one that no page has. */
export function submittedIn(body: unknown): Submitted | undefined {
  const fields = new URLSearchParams(typeof body === 'string' ? body : '');
  const rating = ratings.find((one) => one === fields.get('rating'));
  if (rating !== undefined) return { rating };
  const theme = themes.find((one) => one === fields.get('theme'));
  if (theme !== undefined) return { theme };
  const said = fields.get('cookies');
  if (said === 'again') return { cookies: said };
  // What is accepted is what the visitor was asked about, and nothing that was added since.
  const cookies = consentFrom(said === 'accepted' ? `${said}.${fields.get('scripts') ?? ''}` : (said ?? undefined));
  return cookies === undefined ? undefined : { cookies };
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
  { rating, theme, cookies }: Submitted,
  { address, isSecure }: Place,
): Promise<Answer> {
  const { at } = inside.content;
  const { look, scripts } = siteView(await inside.content.site(), at, inside.carried);
  const back = new URL(address);
  const place = { path: at.siteBasePath, isSecure };
  if (theme !== undefined && look.themes.toggeable)
    return { ...redirect(localPath(back), 303), cookie: setTheme(theme, place) };
  if (cookies !== undefined && scripts.some(({ setsCookies }) => setsCookies))
    return { ...redirect(localPath(back), 303), cookie: setConsent(givenTo(scripts, cookies), place) };
  if (rating === undefined || !look.feedback.enabled) throw new AppError('not_found');
  const event = await ratedPage(inside, at);
  const { session, url } = inside.session;
  await api.post(
    `/orgs/${at.organization}/sites/${at.site}/insights/events`,
    { events: [{ type: 'page_feedback', rating, ...event, session, location: { url } }] },
    { token: at.apiToken, signal: inside.signal, visitor: inside.from },
  );
  back.searchParams.set('rated', rating);
  return redirect(localPath(back), 303);
}

/** What a visitor has said, of scripts that are there. */
function givenTo(scripts: readonly PageScript[], said: Consent | 'again'): Consent | undefined {
  if (said === 'again') return undefined;
  if (said.says === 'declined') return said;
  const accepted = scripts.filter(({ id, setsCookies }) => setsCookies && said.scripts.includes(id));
  return { ...said, scripts: [...new Set(accepted.map(({ id }) => id))] };
}

async function ratedPage({ content }: Inside, at: PublishedContent) {
  const found = pageAt(await content.pages(), pathOf(at));
  if (found === undefined || 'within' in found) throw new AppError('not_found');
  return { siteSpace: at.siteSpace, space: at.space, page: found.id };
}
