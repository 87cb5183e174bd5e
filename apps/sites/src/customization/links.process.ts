import { locatePublishedPages, requireNone, type ContentReference, type ErrorDetail } from '@scriptorium/contracts';
import { ask, type Call } from '@scriptorium/platform';
import type { RecordedSite } from '../model/index.js';

interface Link {
  to: ContentReference | null;
}

/** What of a look leads somewhere. */
interface Leading {
  header?: Header | null | undefined;
  footer?: { groups?: readonly { links: readonly Link[] }[] | null | undefined } | null | undefined;
  announcement?: { link?: Link | null | undefined } | null | undefined;
}

interface Header {
  primaryLink?: ContentReference | null | undefined;
  links?: readonly (Link & { links: readonly Link[] })[] | null | undefined;
}

interface Named {
  to: ContentReference;
  /** The part of the request that names it. */
  field: string;
}

/** Pages and spaces of one question. Beyond the questions, links are not checked. */
const [mostPlaces, mostQuestions] = [1_000, 20];

/**
 * Requires that the links that a look gets lead to what is on the site. What they lead to outside of it is not known,
 * and links that it had before may have lost their page since.
 * @throws AppError `invalid_request` that names the links
 */
export async function checkLinks(call: Call, site: RecordedSite, look: Leading, before: Leading): Promise<void> {
  const known = new Set(linksOf(before).map(({ to }) => JSON.stringify(to)));
  const links = linksOf(look).filter(({ to }) => !known.has(JSON.stringify(to)));
  const spaces = site.structure.siteSpaces.map(({ space }) => space);
  const isElsewhere = ({ to }: Named): boolean => spaceIn(to) !== undefined && !spaces.includes(spaceIn(to) ?? '');
  requireNone(links.filter(isElsewhere).map(({ field }) => missing(`${field}.space`, 'The space is not on the site')));
  const pages = links.flatMap(({ to, field }) => {
    const page = to.kind === 'page' || to.kind === 'anchor' ? to.page : undefined;
    return page === undefined ? [] : [{ page, field, among: spaceIn(to) === undefined ? spaces : [spaceIn(to) ?? ''] }];
  });
  const places = pages.flatMap(({ page, among }) => among.map((space) => ({ space, page })));
  if (places.length > mostPlaces * mostQuestions) return;
  const there = await pagesThere(call, site.organization, places);
  const gone = pages.filter(({ page, among }) => !among.some((space) => there.has(`${space} ${page}`)));
  requireNone(gone.map(({ field }) => missing(`${field}.page`, 'There is no such page on the site')));
}

function missing(path: string, message: string): ErrorDetail {
  return { path, message };
}

function spaceIn(to: ContentReference): string | undefined {
  return to.kind === 'page' || to.kind === 'anchor' || to.kind === 'space' ? to.space : undefined;
}

function linksOf({ header, footer, announcement }: Leading): Named[] {
  const links = (header?.links ?? []).flatMap(({ to, links: inside }, i) => [
    named(to, `body.header.links[${i}].to`),
    ...inside.map((one, j) => named(one.to, `body.header.links[${i}].links[${j}].to`)),
  ]);
  const groups = (footer?.groups ?? []).flatMap((group, i) =>
    group.links.map((one, j) => named(one.to, `body.footer.groups[${i}].links[${j}].to`)),
  );
  return [
    named(header?.primaryLink, 'body.header.primaryLink'),
    ...links,
    ...groups,
    named(announcement?.link?.to, 'body.announcement.link.to'),
  ].flat();
}

function named(to: ContentReference | null | undefined, field: string): Named[] {
  return to == null ? [] : [{ to, field }];
}

/** Those of these places at which there is a page. */
async function pagesThere(
  call: Call,
  organization: string,
  places: readonly { space: string; page: string }[],
): Promise<ReadonlySet<string>> {
  const there = new Set<string>();
  for (let start = 0; start < places.length; start += mostPlaces) {
    const some = places.slice(start, start + mostPlaces);
    const { paths } = await ask(call, locatePublishedPages, { organization, places: some });
    for (const [index, { space, page }] of some.entries()) if (paths[index] != null) there.add(`${space} ${page}`);
  }
  return there;
}
