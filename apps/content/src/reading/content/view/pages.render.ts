import {
  layoutPresets,
  type ComputedSource,
  type ContentReference,
  type Page as ShownPage,
} from '@scriptorium/contracts';
import {
  findPages,
  idIn,
  keys,
  pathOf,
  withDescendants,
  type Page,
  type PageAttributes,
  type PageRecord,
} from '../../../versions/index.js';
import type { ContentView } from './view.queries.js';

/** Base of addresses in answers. */
interface Urls {
  app: string;
}

/** Pages with the objects that show them. */
interface Listed {
  view: ContentView;
  urls: Urls;
  /** By id of the parent, in order; `undefined` is the top. */
  children: ReadonlyMap<string | undefined, readonly Page[]>;
  attributes: ReadonlyMap<string, object>;
  /** The pages that links of these pages lead to, as far as they are there. */
  targets: ReadonlySet<string>;
}

/** All pages, each with those in it. */
export async function renderTree(view: ContentView, urls: Urls): Promise<ShownPage[]> {
  const entries = await view.tree.range(keys.pages);
  const pages = entries.map(([key, record]) => ({ ...(record as PageRecord), id: idIn(key) }));
  const listed = await listOf(view, urls, pages);
  return below(listed, undefined, '');
}

/** A page with those in it. */
export async function renderPage(view: ContentView, page: Page, urls: Urls): Promise<ShownPage> {
  const pages = await withDescendants(view.tree, page);
  const listed = await listOf(view, urls, pages);
  return shown(listed, page, await pathOf(view.tree, page));
}

/** Pages by id, each without those in it. */
export async function renderAlone(
  view: ContentView,
  pages: readonly Page[],
  urls: Urls,
): Promise<Map<string, ShownPage>> {
  const listed = { ...(await listOf(view, urls, pages)), children: new Map<string, Page[]>() };
  const found = new Map<string, ShownPage>();
  for (const page of pages) found.set(page.id, shown(listed, page, await pathOf(view.tree, page)));
  return found;
}

async function listOf(view: ContentView, urls: Urls, pages: readonly Page[]): Promise<Listed> {
  const children = new Map<string | undefined, Page[]>();
  for (const page of pages) {
    const siblings = children.get(page.parent);
    if (siblings === undefined) children.set(page.parent, [page]);
    else siblings.push(page);
  }
  for (const siblings of children.values()) siblings.sort(byOrder);
  const named = pages.flatMap(({ attributes }) => attributes ?? []);
  const attributes = named.length === 0 ? new Map<string, object>() : await view.tree.objects(named);
  const linked = pages.flatMap(({ target }) => pageIn(target) ?? []);
  const targets = new Set((await findPages(view.tree, linked)).keys());
  return { view, urls, children, attributes, targets };
}

function byOrder(a: Page, b: Page): number {
  return a.order === b.order ? (a.id < b.id ? -1 : 1) : a.order < b.order ? -1 : 1;
}

function below(listed: Listed, parent: string | undefined, path: string): ShownPage[] {
  return (listed.children.get(parent) ?? []).map((page) =>
    shown(listed, page, path === '' ? (page.slug ?? '') : `${path}/${page.slug ?? ''}`),
  );
}

function shown(listed: Listed, page: Page, path: string): ShownPage {
  const { view, urls } = listed;
  const { id, title, emoji, icon, createdAt, updatedAt, hidden = false, condition } = page;
  const common = {
    id,
    title,
    ...(emoji === undefined ? {} : { emoji }),
    ...(icon === undefined ? {} : { icon }),
    createdAt,
    updatedAt,
    hidden,
    ...(condition === undefined || view.reader !== undefined ? {} : { condition }),
    urls: { app: pageUrl(urls, view, id) },
  };
  const placed = { ...common, slug: page.slug ?? '', path, ...importedFromOf(view, page) };
  const pages = (): ShownPage[] => below(listed, id, path);
  switch (page.type) {
    case 'link': {
      const target = page.target as ContentReference;
      const href = hrefOf(target, listed);
      return { type: 'link', kind: 'link', ...common, target, ...(href === undefined ? {} : { href }) };
    }
    case 'group':
      return { type: 'group', kind: 'group', ...placed, pages: pages() };
    case 'computed':
      return shownSource(view, page, { ...placed, pages: pages() });
    case 'document':
      return {
        type: 'document',
        kind: 'sheet',
        ...placed,
        ...documentFields(view, page, attributesOf(listed, page)),
        pages: pages(),
      };
  }
}

/** A source is the group of the pages that are computed from it, unless they are not computed. */
function shownSource(
  { isExpanded }: ContentView,
  page: Page,
  placed: Omit<Extract<ShownPage, { type: 'computed' }>, 'type' | 'computed' | 'noIndex' | 'noRobotsIndex'>,
): ShownPage {
  const source = { ...placed, computed: page.computed as ComputedSource, ...seedOf(page) };
  if (isExpanded) return { type: 'group', kind: 'group', ...source };
  return { type: 'computed', ...source, noIndex: page.noIndex === true, noRobotsIndex: page.noRobotsIndex === true };
}

/** Visitors are not told the names of files. */
function importedFromOf(
  { reader }: ContentView,
  { importedFrom }: Page,
): { importedFrom?: { path: string; id?: string } } {
  if (importedFrom === undefined || reader !== undefined) return {};
  const { path, id } = importedFrom;
  return { importedFrom: { path, ...(id === undefined ? {} : { id }) } };
}

function attributesOf({ attributes }: Listed, page: Page): PageAttributes {
  return page.attributes === undefined ? {} : (attributes.get(page.attributes) ?? {});
}

function documentFields(
  { documents }: ContentView,
  page: Page,
  { layout, cover, variables, metaLinks }: PageAttributes,
) {
  const { description, document, noIndex = false, noRobotsIndex = false } = page;
  return {
    ...(description === undefined ? {} : { description }),
    ...(document === undefined ? {} : { documentId: documents.idOf(document) }),
    layout: { ...layoutPresets.docs, ...layout },
    ...(cover === undefined ? {} : { cover }),
    ...(variables === undefined ? {} : { variables }),
    noIndex,
    noRobotsIndex,
    ...(metaLinks === undefined ? {} : { metaLinks }),
    ...(page.computed === undefined ? {} : { computed: page.computed }),
    ...seedOf(page),
  };
}

function seedOf({ seed, stale }: Page): { computedSeed?: string; stale?: true } {
  return { ...(seed === undefined ? {} : { computedSeed: seed }), ...(stale === undefined ? {} : { stale }) };
}

/** The address of a page in the application. */
export function pageUrl(
  { app }: Urls,
  { organization, space }: Pick<ContentView, 'organization' | 'space'>,
  page: string,
): string {
  return `${app}/o/${organization}/s/${space}/${page}`;
}

/** The page of the same space that a reference names. */
function pageIn(target: ContentReference | undefined): string | undefined {
  if (target?.kind !== 'page' && target?.kind !== 'anchor') return undefined;
  return target.space === undefined ? target.page : undefined;
}

/**
 * Where a link of the navigation leads; `undefined` for a page that is not there. What stands in other spaces is not
 * looked at.
 */
function hrefOf(target: ContentReference, { view, urls, targets }: Listed): string | undefined {
  const page = pageIn(target);
  if (page !== undefined && !targets.has(page)) return undefined;
  switch (target.kind) {
    case 'url':
      return target.url;
    case 'page':
      return pageUrl(urls, { ...view, space: target.space ?? view.space }, target.page);
    case 'anchor':
      return target.page === undefined
        ? undefined
        : `${pageUrl(urls, { ...view, space: target.space ?? view.space }, target.page)}#${target.anchor}`;
    case 'space':
      return `${urls.app}/o/${view.organization}/s/${target.space}`;
    case 'collection':
      return `${urls.app}/o/${view.organization}/c/${target.collection}`;
    default:
      return undefined;
  }
}
