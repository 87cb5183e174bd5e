import { AppError, type FoundSpace, type PublishedContent } from '@scriptorium/contracts';
import type { RichDocument } from '@scriptorium/rich-text';
import { article } from '../pages/article.js';
import { descriptionOf } from '../pages/description.js';
import { feedAt, newsIn } from '../pages/feed.js';
import type { Frame } from '../pages/frame.js';
import { wholePage, type Parts } from '../pages/layout.js';
import { searchAt, surroundings, targetOf, within, type Referred } from '../pages/links.js';
import { pageMarkdown } from '../pages/markdown.js';
import { missingPage } from '../pages/problem.js';
import { searchResults } from '../pages/search.js';
import { embeddedOrigins } from '../rich-text/embeds.js';
import { withCodeOfOperations } from '../rich-text/openapi/code-of-operations.js';
import { ownFonts } from '../style/fonts.js';
import { isNamedFont } from '../style/named-fonts.js';
import { filled } from '../texts/texts.js';
import type { Api } from '../visit/api.js';
import type { Content } from '../visit/content.js';
import { shownScripts, sourcesOf } from '../visit/scripts.js';
import { languagesOf, samePages } from '../visit/same-pages.js';
import { firstIn, pageAt, type DocumentPage, type PageIndex } from '../visit/pages.js';
import type { Visiting } from '../visit/session.js';
import type { Views } from '../visit/views.js';
import { siteView, type SiteView } from '../visit/site-view.js';
import { html, redirect, type Answer } from './answer.js';
import { everythingReferredTo, targetsOf, type Reads } from './page-references.js';

export interface Showing extends Reads {
  api: Pick<Api, 'post'>;
  views: Pick<Views, 'add'>;
}

/** What is shown at an address, as somebody who was let in sees it. */
export interface Inside extends Visiting {
  content: Content;
  carried: string;
  /** The visitor has just rated the page. */
  isRated: boolean;
}

const noFiles: Referred['files'] = new Map();
const noLines: Referred['lines'] = new Map();

/** A page of a space with what stands around it. */
export async function showPage(showing: Showing, inside: Inside): Promise<Answer> {
  const { content, carried, theme, consent, isRated } = inside;
  const { at } = content;
  const [published, index] = await Promise.all([content.site(), content.pages()]);
  const view = siteView(published, at, carried);
  const found = pageAt(index, pathOf(at));
  if (found === undefined) return notHere(view, index, inside);
  if ('within' in found) {
    const first = firstIn(found.within);
    return first === undefined ? notHere(view, index, inside) : redirect(within(view, view.addressOf(first.path)));
  }
  const page = withCode(await content.page(found));
  const [referred, same] = await Promise.all([
    everythingReferredTo(showing, inside, { page, index, view }),
    samePages(content, view, page),
  ]);
  const around = surroundings(view, referred);
  const isListed = view.visibility === 'public' && !page.noRobotsIndex && carried === '' && at.shareKey === undefined;
  const frame: Frame = {
    view,
    referred,
    title: page.title,
    description: page.description || descriptionOf(page),
    canonical: canonicalOf(view, referred, page) ?? at.canonicalUrl,
    languages: languagesOf(view, page, same),
    same,
    image: imageOf(page, referred),
    alternates: alternatesOf(view, page),
    isListed,
    theme,
    consent,
    self: within(view, view.addressOf(page.path)),
  };
  const made = framed(frame, article({ view, index, page, around, isRated }));
  // Who has rated the page is shown it once more.
  if (!isRated) showing.views.add(at, page.id, inside.session);
  return made;
}

/** What a page refers to that has no text of its own: pages of its space. */
export function ownPages(space: string, index: PageIndex): Referred {
  return { space, indexes: new Map([[space, index]]), files: noFiles, lines: noLines };
}

/** The address of the page that this one repeats, if its author names it and the site shows it. */
function canonicalOf(view: SiteView, referred: Referred, { metaLinks }: DocumentPage): string | undefined {
  const target = metaLinks?.canonical && targetOf(view, referred, metaLinks.canonical);
  if (target === undefined || target.isExternal === true) return target?.href;
  return view.published && `${view.published}${target.href.slice(view.siteBase.length)}`;
}

/** The cover of a page, if everybody may load it. */
function imageOf({ cover }: DocumentPage, { files }: Referred): string | undefined {
  const file = cover?.ref.kind === 'file' ? files.get(String(cover.ref['file'])) : undefined;
  return file?.downloadURL;
}

/** The page in other forms. */
function alternatesOf(view: SiteView, page: DocumentPage): NonNullable<Frame['alternates']> {
  const title = filled(view.say.feedOf, { title: page.title });
  const feed = { type: 'application/rss+xml', href: feedAt(view, page.id), title };
  const markdown = { type: 'text/markdown', href: within(view, `${view.addressOf(page.path)}.md`) };
  return [...(view.look.pageActions.markdown ? [markdown] : []), ...(newsIn(page).length > 0 ? [feed] : [])];
}

/** A page of a site, which may load the fonts of the site. */
export function framed(frame: Frame, parts: Parts, status = 200): Answer {
  const { look } = frame.view;
  const { styling } = look;
  const own = ownFonts(styling);
  const hasNamedFonts = [styling.font, styling.monospaceFont].some(isNamedFont);
  return {
    ...html(wholePage(frame, parts), status),
    hasNamedFonts,
    frames: [...new Set([...embeddedOrigins(look.embeds.hosts), ...(parts.frames ?? [])])],
    sources: sourcesOf(shownScripts(frame.view.scripts, frame.consent)),
    ...(own && { own }),
  };
}

/** The page with the code of its operations, whose words are marked as those of other code. */
function withCode(page: DocumentPage): DocumentPage {
  const document = page.document as RichDocument | undefined;
  return document === undefined ? page : { ...page, document: withCodeOfOperations(document) };
}

/** The path of an address as pages have it. */
export function pathOf({ pathname }: PublishedContent): string {
  return pathname.replace(/^\//, '');
}

function notHere(view: SiteView, index: PageIndex, { content, theme, consent }: Inside): Answer {
  const referred = ownPages(content.at.space, index);
  const self = within(view, view.addressOf(pathOf(content.at)));
  const frame: Frame = { view, referred, title: view.say.notFound, isListed: false, theme, consent, self, query: '' };
  return framed(frame, missingPage(view, index, surroundings(view, referred)), 404);
}

/**
 * A page as markdown. Its links are whole addresses that work for whoever reads it.
 * @throws AppError `not_found` for what is no page
 */
export async function showMarkdown({ content, carried }: Inside, origin: string): Promise<Answer> {
  const [published, index] = await Promise.all([content.site(), content.pages()]);
  const view = siteView(published, content.at, carried);
  const found = pageAt(index, pathOf(content.at));
  if (found === undefined) throw new AppError('not_found');
  if ('within' in found) {
    const first = firstIn(found.within);
    if (first === undefined) throw new AppError('not_found');
    return redirect(within(view, `${view.addressOf(first.path)}.md`));
  }
  const page = await content.page(found);
  const referred = { ...(await targetsOf(content, { page, index, around: [] })), lines: noLines };
  const body = pageMarkdown({ view, referred, origin }, page);
  return { status: 200, body, type: 'text/markdown' };
}

export const longestQuery = 512;

/** What words find on the whole site. */
export async function searchSite(
  { api }: Pick<Showing, 'api'>,
  { content: { at }, signal, from }: Pick<Inside, 'content' | 'signal' | 'from'>,
  query: string,
): Promise<FoundSpace[]> {
  const path = `/orgs/${at.organization}/sites/${at.site}/search`;
  const body = { query, scope: { mode: 'all' } };
  const answer = await api.post<{ items: FoundSpace[] }>(path, body, { token: at.apiToken, signal, visitor: from });
  return answer.body.items;
}

/** What a search of the site found. */
export async function showSearch(showing: Showing, inside: Inside, asked: string): Promise<Answer> {
  const { content, carried, theme, consent } = inside;
  const { at } = content;
  const query = asked.trim().slice(0, longestQuery);
  const searched = query === '' ? [] : searchSite(showing, inside, query);
  const [published, index, found] = await Promise.all([content.site(), content.pages(), searched]);
  const view = siteView(published, at, carried);
  const referred = ownPages(at.space, index);
  const self = searchAt(view, query);
  const frame: Frame = { view, referred, title: view.say.search, isListed: false, theme, consent, self, query };
  return framed(frame, searchResults(view, query, found));
}
