import type { ContentLink, ContentLinks, ContentLocation, LinkStatus } from '@scriptorium/contracts';
import { pageBy, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { createHash } from 'node:crypto';
import type { ContentView } from '../content/index.js';
import { outsideTarget, readLocations, type Locations } from './locations.render.js';
import { lookElsewhere, type Judge, type OtherSpaces } from './other-spaces.queries.js';
import type { Link, LinkPlace } from './revision-links.js';
import { judgeBySpecs } from './specifications.queries.js';
import { isInApp, type Target } from './target.js';

interface ListRequest extends PageRequest {
  operation: string;
  /** What the list is of, whatever its revision. */
  scope: Record<string, string>;
}

/** Which links are listed. */
interface LinkList extends ListRequest {
  status?: LinkStatus | undefined;
  /** Only the links of this page. */
  ofPage?: string | undefined;
  base?: ContentView | undefined;
}

/** A link that was looked at. */
interface Judged {
  link: Link;
  status: LinkStatus;
}

/** Places that are shown of one link, and of all links of an answer. */
const mostPlaces = { ofLink: 10, ofAnswer: 2_000 };

/** A page of the links of a content, in the order of its pages. `base`: what a change request goes back to. */
export async function listLinks(
  scope: Scope,
  judge: Judge,
  view: ContentView,
  { status, ofPage, base, ...request }: LinkList,
): Promise<ContentLinks> {
  const judged = await judgedLinks(scope, judge, view, ofPage);
  const shown = status === undefined ? judged.links : judged.links.filter((one) => one.status === status);
  const page = await pageBy<Judged>(scope.cursors, {
    binding: { operation: request.operation, scope: { ...request.scope, status }, sort: 'place', order: 'asc' },
    request,
    isCounted: true,
    count: () => shown.length,
    fetch: (limit, after) => behind(shown, ({ link }) => [placeOf(link), shortKey(link)], after).slice(0, limit),
    keysOf: ({ link }) => [placeOf(link), shortKey(link)],
  });
  const broken = judged.links.filter((one) => one.status === 'broken');
  const before = base === undefined || broken.length === 0 ? undefined : await judgedLinks(scope, judge, base, ofPage);
  const already = new Set(before?.links.flatMap(({ link, status: was }) => (was === 'broken' ? link.key : [])));
  const changeRequest = base === undefined ? 0 : broken.filter(({ link }) => !already.has(link.key)).length;
  return {
    ...page,
    items: await showLinks(scope, judge, view, judged.elsewhere, page.items),
    stats: { total: judged.links.length, broken: { total: broken.length, changeRequest } },
  };
}

async function judgedLinks(
  scope: Scope,
  judge: Judge,
  view: ContentView,
  page: string | undefined,
): Promise<{ links: Judged[]; elsewhere: OtherSpaces }> {
  const { links: all, missing } = await judge.revisions.of(scope, view);
  const { links, missing: missingInSpecs } = await judgeBySpecs(
    scope,
    judge,
    view,
    page === undefined ? all : all.flatMap((link) => onlyOf(link, page)),
  );
  const elsewhere = await lookElsewhere(scope, judge, view, links);
  const statusOf = ({ key, target }: Link): LinkStatus => {
    if (target.kind === 'url') return isInApp(target.url, scope.urls.app) ? 'in-app' : 'ok';
    // No tags exist.
    if (target.kind === 'tag') return 'broken';
    return [missing, missingInSpecs, elsewhere.missing].some((some) => some.has(key)) ? 'broken' : 'ok';
  };
  return { links: links.map((link) => ({ link, status: statusOf(link) })), elsewhere };
}

/** A link as one page has it. */
function onlyOf(link: Link, page: string): Link[] {
  const places = link.places.filter(({ kind, id }) => kind === 'page' && id === page);
  return places.length === 0 ? [] : [{ ...link, places }];
}

const placeOf = ({ places }: Link): number => places[0]?.at ?? 0;

function shortKey({ key }: Link): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 22);
}

/**
 * Those behind a cursor, which names the place and the key of the last one: behind it if it is still there, else behind
 * its place.
 */
function behind<T>(
  sorted: readonly T[],
  keysOf: (item: T) => readonly [place: number, key: string],
  after: readonly unknown[] | undefined,
): readonly T[] {
  if (after === undefined) return sorted;
  const last = sorted.findIndex((item) => keysOf(item)[1] === after[1]);
  if (last >= 0) return sorted.slice(last + 1);
  const next = sorted.findIndex((item) => keysOf(item)[0] > Number(after[0]));
  return next < 0 ? [] : sorted.slice(next);
}

async function showLinks(
  scope: Scope,
  judge: Judge,
  view: ContentView,
  elsewhere: OtherSpaces,
  judged: readonly Judged[],
): Promise<ContentLink[]> {
  if (judged.length === 0) return [];
  const atMost = Math.max(1, Math.min(mostPlaces.ofLink, Math.floor(mostPlaces.ofAnswer / judged.length)));
  const shownPlaces = judged.map(({ link }) => link.places.slice(0, atMost));
  const own = judged.flatMap(({ link: { target } }) => (otherSpaceOf(target) === undefined ? target : []));
  const here = await readLocations(scope, view, shownPlaces.flat(), own);
  const there = await locationsElsewhere(scope, elsewhere, judged);
  const items: ContentLink[] = [];
  for (const [index, { link, status }] of judged.entries()) {
    const { target, relation, places } = link;
    const locations = shownPlaces[index] ?? [];
    const space = otherSpaceOf(target);
    const inContent = (space === undefined ? here : there.get(space))?.targetOf(target);
    const shown =
      status === 'broken' ? undefined : (inContent ?? (await outsideTarget(scope, judge, view, elsewhere, target)));
    const more = places.length - locations.length;
    items.push({
      status,
      relation,
      reference: target,
      ...(shown === undefined ? {} : { targetReference: shown }),
      locationReferences: locations.flatMap((place) => here.placeOf(place) ?? []),
      ...(more > 0 ? { moreLocations: more } : {}),
    });
  }
  return items;
}

/** The other space that a target is in. */
function otherSpaceOf(target: Target): string | undefined {
  return target.kind !== 'space' && 'space' in target ? target.space : undefined;
}

async function locationsElsewhere(
  scope: Scope,
  { views }: OtherSpaces,
  judged: readonly Judged[],
): Promise<Map<string, Locations>> {
  const bySpace = new Map<string, Target[]>();
  for (const { link, status } of judged) {
    const space = status === 'broken' ? undefined : otherSpaceOf(link.target);
    if (space === undefined) continue;
    const known = bySpace.get(space);
    if (known === undefined) bySpace.set(space, [link.target]);
    else known.push(link.target);
  }
  const found = new Map<string, Locations>();
  for (const [space, targets] of bySpace) {
    const view = views.get(space);
    if (view !== undefined) found.set(space, await readLocations(scope, view, [], targets));
  }
  return found;
}

/** A page of the places in a content that link to a page or file of it, in the order of its pages. */
export async function listBacklinks(
  scope: Scope,
  { revisions }: Pick<Judge, 'revisions'>,
  view: ContentView,
  { to, ...request }: ListRequest & { to: { page: string } | { file: string } },
): Promise<Page<ContentLocation>> {
  const { links } = await revisions.of(scope, view);
  const places = links
    .filter(({ target }) => leadsTo(target, to))
    .flatMap((link) => link.places)
    .sort((a, b) => a.at - b.at);
  const keyOf = ({ kind, id, node = '', at }: LinkPlace): [number, string] => [at, `${kind} ${id} ${node}`];
  const page = await pageBy<LinkPlace>(scope.cursors, {
    binding: { operation: request.operation, scope: request.scope, sort: 'place', order: 'asc' },
    request,
    isCounted: true,
    count: () => places.length,
    fetch: (limit, after) => behind(places, keyOf, after).slice(0, limit),
    keysOf: keyOf,
  });
  const shown = await readLocations(scope, view, page.items, []);
  return { ...page, items: page.items.flatMap((place) => shown.placeOf(place) ?? []) };
}

function leadsTo(target: Target, to: { page: string } | { file: string }): boolean {
  if ('file' in to) return target.kind === 'file' && target.space === undefined && target.file === to.file;
  return (target.kind === 'page' || target.kind === 'anchor') && target.space === undefined && target.page === to.page;
}
