import type { AgentRequest } from '@scriptorium/agents';
import { AppError, type PublishedContent, type PublishedRedirect } from '@scriptorium/contracts';
import { iconAt } from '../style/favicon.js';
import { fontAt } from '../style/named-fonts.js';
import { scriptAt } from '../style/script.js';
import { styleAt } from '../style/style.js';
import { createContent } from '../visit/content.js';
import type { Api } from '../visit/api.js';
import { locate } from '../visit/locate.js';
import { pageAt } from '../visit/pages.js';
import type { Visiting } from '../visit/session.js';
import { isEnded, type Entered, type Resolved, type Resolver } from '../visit/resolve.js';
import { carriedQuery, leftOut, specialIn, type Special, type Visitor } from '../visit/visitor.js';
import { problemPage } from '../pages/problem.js';
import { html, localPath, redirect, type Answer } from './answer.js';
import { isToken, isTooLong, removeVisitor, setVisitor } from './cookies.js';
import { showAgent } from './show-agent.js';
import { showBranch } from './show-branch.js';
import { pathOf, showMarkdown, showPage, showSearch, type Inside, type Showing } from './show-page.js';
import { showPdf } from './show-pdf.js';
import { showFeed, showList, showWhole } from './show-texts.js';
import { submit, type Submitted } from './submitted.js';

export interface ShowDeps extends Showing {
  api: Api;
  resolver: Resolver;
  /** `at`: where on which site; not the whole address, which may have the key of a share link. */
  logError: (error: unknown, at: string) => void;
}

/** A request of a visitor. */
export interface Asked extends Visiting {
  /** The address as the API knows it, with what the visitor has asked for. */
  address: URL;
  /** The origin at which visitors see it. */
  shownAt: string;
  token: string | undefined;
  isSecure: boolean;
  /** What a form of the page says, if one was sent. */
  submitted?: Submitted | undefined;
  /** What an agent asks, at the address for agents. */
  agent?: AgentRequest | undefined;
}

/** What is shown at an address. @throws AppError for what is not */
export async function show(deps: ShowDeps, asked: Asked): Promise<Answer> {
  const own = ownFileIn(asked.address);
  if (own !== undefined) return own;
  const { path, special } = specialIn(asked.address.pathname);
  const visitor = visitorOf(asked, path);
  const brought = asked.address.searchParams.get('jwt_token');
  const known = brought === null ? await showKnown(deps, asked, visitor, special) : undefined;
  if (known !== undefined) return known;
  const began = Date.now();
  const resolved = await deps.resolver.resolve(visitor);
  if ('redirect' in resolved) return follow(asked, visitor, resolved.redirect);
  if (brought !== null && asked.agent === undefined) return keepToken(asked, resolved.content, brought);
  const shown = await attempt(deps, asked, resolved, special);
  const again = await resolvedAgain(deps, visitor, shown, began);
  if (again === undefined || again === resolved) return finish(shown);
  return 'redirect' in again ? follow(asked, visitor, again.redirect) : answer(deps, asked, again, special);
}

/** An answer, or why there is none. */
type Attempt = { answer: Answer } | { error: unknown };

async function attempt(...shown: Parameters<typeof answer>): Promise<Attempt> {
  try {
    return { answer: await answer(...shown) };
  } catch (error) {
    return { error };
  }
}

function finish(shown: Attempt): Answer {
  if ('error' in shown) throw shown.error;
  return shown.answer;
}

/** What an address leads to now, if what was known of it may have changed. */
async function resolvedAgain(
  { resolver }: Pick<ShowDeps, 'resolver'>,
  visitor: Visitor,
  shown: Attempt,
  began: number,
): Promise<Resolved | undefined> {
  if ('error' in shown && isEnded(shown.error)) {
    // The site was closed to this token, or another one is needed by now.
    resolver.forget(visitor);
    return resolver.resolve(visitor);
  }
  const isMissing =
    'error' in shown
      ? shown.error instanceof AppError && shown.error.reason === 'not_found'
      : shown.answer.status === 404;
  return isMissing ? resolver.resolveMissing(visitor, began) : undefined;
}

/** A page of a site that the visitor was let into before: only what is not found there has to be asked about. */
async function showKnown(
  deps: ShowDeps,
  asked: Asked,
  visitor: Visitor,
  special: Special | undefined,
): Promise<Answer | undefined> {
  const entered = deps.resolver.enteredAt(visitor);
  if (entered === undefined) return undefined;
  const { context } = entered;
  const visit = { ...asked, reads: new Map<string, Promise<unknown>>() };
  try {
    const published = await createContent(deps.api, entered.content, context, visit).site();
    const at = locate(published, entered.content, visitor.address.pathname);
    if (at === undefined) return undefined;
    const pages = await createContent(deps.api, at, context, visit).pages();
    const isHere = special === undefined ? pageAt(pages, pathOf(at)) !== undefined : hasSpecial(at, special);
    if (!isHere) return undefined;
    return await answer(deps, asked, { content: at, context }, special, visit.reads);
  } catch (error) {
    if (!isEnded(error)) throw error;
    deps.resolver.forget(visitor);
    return undefined;
  }
}

/** A file of the reader, which is the same on all sites. */
function ownFileIn({ pathname }: URL): Answer | undefined {
  const name = pathname.slice(pathname.lastIndexOf('/~reader/') + 1);
  const files = [
    ['text/css', styleAt(name)],
    ['text/javascript', scriptAt(name)],
    ['image/svg+xml', iconAt(name)],
    ['font/woff2', fontAt(name)],
  ] as const;
  for (const [type, body] of files) {
    if (body !== undefined) return { status: 200, body, type, isForever: true };
  }
  return undefined;
}

/** Parameters that say who a visitor is; all others say nothing to the API. */
function visitorOf({ address, token, from, signal }: Asked, path: string): Visitor {
  const url = new URL(address);
  url.pathname = path;
  for (const name of [...url.searchParams.keys()]) {
    if (!['jwt_token', 'preview', 'location'].includes(name) && !name.startsWith('visitor.'))
      url.searchParams.delete(name);
  }
  return { address: url, token, from, signal };
}

async function answer(
  deps: ShowDeps,
  asked: Asked,
  { content: at, context }: Entered,
  special: Special | undefined,
  reads = new Map<string, Promise<unknown>>(),
): Promise<Answer> {
  const { address, signal, from, theme, consent, session, submitted } = asked;
  const content = createContent(deps.api, at, context, { signal, from, reads });
  const isRated = address.searchParams.has('rated');
  const inside: Inside = { content, carried: carriedQuery(address), signal, from, theme, consent, session, isRated };
  if (special !== undefined && (submitted?.rating !== undefined || !hasSpecial(at, special)))
    throw new AppError('not_found');
  if (submitted !== undefined) return submit(deps, inside, submitted, asked);
  if (special !== undefined) return showSpecial(deps, inside, asked, special);
  return at.format === 'markdown' ? showMarkdown(inside, asked.shownAt) : showPage(deps, inside);
}

async function showSpecial(
  deps: ShowDeps,
  inside: Inside,
  { address: { searchParams }, shownAt, agent }: Asked,
  special: Special,
): Promise<Answer> {
  switch (special) {
    case '~search':
      return showSearch(deps, inside, searchParams.get('q') ?? '');
    case '~tree':
      return showBranch(inside, searchParams);
    case '~feed':
      return showFeed(inside, searchParams.get('page') ?? '', shownAt);
    case '~pdf':
      return showPdf(inside, searchParams);
    case '~mcp':
      return showAgent(deps, inside, { agent, origin: shownAt });
    case 'llms-full.txt':
      return showWhole(inside, shownAt);
    case 'sitemap.xml':
      return { status: 200, body: await inside.content.text(special), type: 'application/xml' };
    case 'llms.txt':
      return showList(inside, shownAt);
    case 'robots.txt':
      return { status: 200, body: await inside.content.text(special), type: 'text/plain' };
  }
}

/** Each space of a site has a search and its pages, and the site itself texts for programs; a page has none of them. */
function hasSpecial(at: PublishedContent, special: Special): boolean {
  const isOfSpaces = special.startsWith('~') && special !== '~mcp';
  return pathOf(at) === '' && (isOfSpaces || at.basePath === at.siteBasePath);
}

/**
 * Goes where an address leads: within the site by its path, so that it stays where the visitor is, or to where visitors
 * sign in and out. Whoever has to sign in comes back to all that they asked for.
 */
function follow(
  { address, isSecure, agent }: Asked,
  { address: told }: Visitor,
  { target, redirect: to, permanent }: PublishedRedirect,
): Answer {
  if (target === 'application') throw new AppError('not_found');
  const url = new URL(to);
  if (!['http:', 'https:'].includes(url.protocol)) throw new AppError('not_found');
  const left = target === 'external' ? leftOut(locationOf(told), url.searchParams.get('location')) : undefined;
  const signsIn = left !== undefined;
  if (signsIn && agent !== undefined) throw new AppError('unauthenticated');
  if (signsIn) url.searchParams.set('location', locationOf(address).slice(left));
  // What leads on from a page says nothing about what is below it.
  else if (specialIn(address.pathname).special !== undefined) throw new AppError('not_found');
  const [site] = /^.*?(?=~(?:service|gitbook)\/auth\/logout)/.exec(address.pathname) ?? [];
  const cookie = site === undefined ? {} : { cookie: removeVisitor({ path: site, isSecure }) };
  const status = permanent === true ? 308 : target === 'content' || url.origin === address.origin ? 307 : 302;
  return { ...redirect(url.origin === address.origin ? localPath(url) : url.href, status), ...cookie };
}

/** What is kept of an address while somebody signs in: nothing that proves who they are. */
function locationOf(address: URL): string {
  const url = new URL(address);
  for (const name of ['jwt_token', 'preview']) url.searchParams.delete(name);
  return localPath(url);
}

/** Keeps the token that somebody has brought in a cookie of the site, and takes it out of the address. */
function keepToken({ address, isSecure }: Asked, { siteBasePath }: PublishedContent, token: string): Answer {
  const url = new URL(address);
  url.searchParams.delete('jwt_token');
  const to = redirect(localPath(url), 303);
  if (isToken(token)) return { ...to, cookie: setVisitor(token, { path: siteBasePath, isSecure }) };
  // Without a cookie a site for visitors who are signed in would send them to sign in again, and again.
  return isTooLong(token) ? html(problemPage(431, siteBasePath), 431) : to;
}
