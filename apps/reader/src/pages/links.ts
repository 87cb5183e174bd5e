import type { ContentFile } from '@scriptorium/contracts';
import { isSafeUrl, type Block, type ContentRef } from '@scriptorium/rich-text';
import type { Component } from '../rich-text/rendered-component.js';
import type { HtmlNode, Properties } from '../rich-text/html.js';
import type { ShownFile, Surroundings, Target } from '../rich-text/render-context.js';
import { apiTextsOf } from '../texts/api/api-texts.js';
import { directionOf } from '../texts/texts.js';
import type { PageIndex } from '../visit/pages.js';
import type { SiteView } from '../visit/site-view.js';

/** What a page that is rendered refers to. */
export interface Referred {
  /** The id of the present space. */
  space: string;
  /** The pages of spaces, by the ids of these. */
  indexes: ReadonlyMap<string, PageIndex>;
  files: ReadonlyMap<string, ContentFile>;
  lines: ReadonlyMap<Block, readonly HtmlNode[][]>;
  /** What integrations have rendered, by the blocks that they have rendered. */
  components?: ReadonlyMap<Block, Component>;
}

/** An address within the site, by its path. */
export function within({ carried }: Pick<SiteView, 'carried'>, path: string, anchor = ''): string {
  const query = carried === '' ? '' : `?${carried}`;
  return `${path}${query}${anchor === '' ? '' : `#${encodeURIComponent(anchor)}`}`;
}

/** Where references of a page lead on the site. Pure. */
export function surroundings(view: SiteView, referred: Referred): Surroundings {
  return {
    targetOf: (ref) => targetOf(view, referred, ref),
    fileOf: (ref) => fileOf(referred, ref),
    linesOf: (code) => referred.lines.get(code),
    componentOf: (block) => referred.components?.get(block),
    mayFrame: view.siteBase === '/',
    searchAt: (query) => searchAt(view, query),
    opensTabs: view.look.externalLinks.target === 'blank',
    say: view.say,
    sayOfApi: apiTextsOf(view.locale),
    locale: view.locale,
    isSolid: hasSolidIcons(view),
    embedHosts: view.look.embeds.hosts,
  };
}

/** In which language content is, where pages speak another one. */
export function ofContent({ locale, contentLocale }: Pick<SiteView, 'locale' | 'contentLocale'>): Properties {
  return contentLocale === locale ? {} : { lang: contentLocale, dir: directionOf(contentLocale) };
}

/** Whether the icons of a site are filled. */
export function hasSolidIcons({ look }: Pick<SiteView, 'look'>): boolean {
  return look.styling.icons === 'solid';
}

/** Where words are searched for; from the space that is shown. */
export function searchAt(view: SiteView, query = ''): string {
  const parameters = new URLSearchParams(view.carried);
  if (query !== '') parameters.set('q', query);
  const text = parameters.toString();
  return `${view.base}~search${text === '' ? '' : `?${text}`}`;
}

/** Where the pages in one are, from one of them on. */
export function treeAt(view: SiteView, page: string, from = 0): string {
  const parameters = new URLSearchParams(view.carried);
  if (page !== '') parameters.set('in', page);
  if (from > 0) parameters.set('from', String(from));
  const text = parameters.toString();
  return `${view.base}~tree${text === '' ? '' : `?${text}`}`;
}

/** Where the PDF of a page is, with the pages in it or without them. */
export function pdfAt(view: SiteView, page: string, { only }: { only: boolean }): string {
  const parameters = new URLSearchParams(view.carried);
  parameters.set('page', page);
  if (only) parameters.set('only', 'true');
  return `${view.base}~pdf?${parameters.toString()}`;
}

/** Where a reference leads; `undefined` for what the site does not show. */
export function targetOf(view: SiteView, referred: Referred, ref: ContentRef): Target | undefined {
  const text = (name: string): string => {
    const value = ref[name];
    return typeof value === 'string' ? value : '';
  };
  const space = text('space') || referred.space;
  switch (ref.kind) {
    case 'url':
      return urlTarget(text('url'));
    case 'page':
      return pageTarget(view, referred, { space, page: text('page'), anchor: text('anchor') });
    case 'anchor':
      if (text('page') === '') return { href: `#${encodeURIComponent(text('anchor'))}` };
      return pageTarget(view, referred, { space, page: text('page'), anchor: text('anchor') });
    case 'space':
      return spaceTarget(view, text('space'));
    case 'file': {
      const file = fileOf(referred, ref);
      return file && { href: file.url, title: file.name };
    }
    default:
      return undefined;
  }
}

function urlTarget(url: string): Target | undefined {
  return isSafeUrl(url) && /^[a-z][a-z\d+.-]*:/i.test(url) ? { href: url, isExternal: true } : undefined;
}

function spaceTarget(view: SiteView, space: string): Target | undefined {
  const found = view.bases.get(space);
  return found && { href: within(view, found.base), title: found.title };
}

function pageTarget(
  view: SiteView,
  { indexes }: Referred,
  to: { space: string; page: string; anchor: string },
): Target | undefined {
  const place = view.bases.get(to.space);
  const page = indexes.get(to.space)?.byId.get(to.page);
  if (place === undefined || page === undefined || page.type === 'link') return undefined;
  return { href: within(view, place.addressOf(page.path), to.anchor), title: page.title };
}

function fileOf({ files, space }: Referred, ref: ContentRef): ShownFile | undefined {
  if (ref.kind === 'url' && typeof ref['url'] === 'string' && /^https?:/i.test(ref['url']))
    return { url: ref['url'], name: ref['url'] };
  if (
    ref.kind !== 'file' ||
    typeof ref['file'] !== 'string' ||
    ![undefined, space].includes(ref['space'] as string | undefined)
  )
    return undefined;
  const file = files.get(ref['file']);
  return file && { url: file.downloadURL, name: file.name, size: file.size, ...file.dimensions };
}
