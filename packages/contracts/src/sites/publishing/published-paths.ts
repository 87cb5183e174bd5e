/** A section or a space of a site, as addresses name it. */
interface Named {
  id: string;
  path: string;
}

/** What stands on a site, as far as the paths of addresses name it. */
export interface SitePaths<Section extends Named, Space extends Named> {
  /** None on a site without sections. */
  sections: readonly Section[];
  defaultSection: Section | undefined;
  /** The spaces of a section, or of a site without sections. */
  spacesIn(section: Section | undefined): readonly Space[];
  defaultSpaceIn(section: Section | undefined): Space | undefined;
}

/** One way to read the path of an address. */
export interface PathReading<Section extends Named, Space extends Named> {
  section: Section | undefined;
  siteSpace: Space;
  /** The parts of the path that name the section and the space. */
  base: string[];
  /** The parts behind them. */
  rest: string[];
  /** What a longer path could name next: a section, a space of the section, or neither of them. */
  next: 'section' | 'space' | undefined;
}

/**
 * The ways to read the path of an address on a site, that which counts first at the beginning: the first one at which
 * there is a page is the one that is meant. A section or a space is named by the first part of what is left. The
 * default ones contribute nothing to the addresses of their pages; so a page whose path begins as they are named comes
 * before them. `parts`: decoded. Pure.
 */
export function readingsOfPath<Section extends Named, Space extends Named>(
  paths: SitePaths<Section, Space>,
  parts: readonly string[],
): PathReading<Section, Space>[] {
  return ways(paths.sections, paths.defaultSection, parts).flatMap(({ found: section, taken, rest }) =>
    ways(paths.spacesIn(section), paths.defaultSpaceIn(section), rest).flatMap((inside) =>
      inside.found === undefined
        ? []
        : [
            {
              section,
              siteSpace: inside.found,
              base: [...taken, ...inside.taken],
              rest: inside.rest,
              next: nextNamed(taken, inside),
            },
          ],
    ),
  );
}

/** Names stand at the beginning of a path: what follows the path of a page names nothing more. */
function nextNamed(
  section: readonly string[],
  space: { taken: readonly string[]; rest: readonly string[] },
): 'section' | 'space' | undefined {
  if (space.rest.length > 0 || space.taken.length > 0) return undefined;
  return section.length > 0 ? 'space' : 'section';
}

interface Way<T> {
  found: T | undefined;
  taken: string[];
  rest: string[];
}

function ways<T extends Named>(all: readonly T[], standard: T | undefined, parts: readonly string[]): Way<T>[] {
  const [first, ...behind] = parts;
  const unnamed: Way<T> = { found: standard, taken: [], rest: [...parts] };
  const named = all.find(({ path }) => path === first);
  if (first === undefined || named === undefined) return [unnamed];
  const way: Way<T> = { found: named, taken: [first], rest: behind };
  return named.id === standard?.id ? [unnamed, way] : [way, unnamed];
}

/**
 * Makes the addresses under which the pages of a space are told: their parts behind the site. The default section and
 * the default space are left out, unless such an address would be that of another space; then they are named. `path`:
 * of the page, empty for the beginning of the space. Pure.
 */
export function pageAddresses<Section extends Named, Space extends Named>(
  paths: SitePaths<Section, Space>,
  place: { section: Section | undefined; siteSpace: Space },
): (path: string) => string[] {
  let taken: ReadonlySet<string> | undefined;
  const beginning = addressOf(paths, place, []);
  return (path) => {
    if (path === '') return beginning;
    const parts = path.split('/');
    taken ??= namesOn(paths, place.section);
    return taken.has(parts[0] ?? '') ? addressOf(paths, place, parts) : [...beginning, ...parts];
  };
}

/** What the first part of an address may name besides a page, and the second one behind a section. */
function namesOn<Section extends Named, Space extends Named>(
  paths: SitePaths<Section, Space>,
  section: Section | undefined,
): ReadonlySet<string> {
  const standard = paths.defaultSection;
  const spaces = [section, ...(standard === undefined ? [] : [standard])].flatMap((one) => paths.spacesIn(one));
  return new Set([...paths.sections, ...spaces].map(({ path }) => path));
}

function addressOf<Section extends Named, Space extends Named>(
  paths: SitePaths<Section, Space>,
  { section, siteSpace }: { section: Section | undefined; siteSpace: Space },
  page: readonly string[],
): string[] {
  const sections = waysToName(section, paths.defaultSection);
  const bases = waysToName(siteSpace, paths.defaultSpaceIn(section)).flatMap((space) =>
    sections.map((names) => [...names, ...space]),
  );
  const meant = bases.find((base) => {
    const readings = readingsOfPath(paths, [...base, ...page]);
    // Another reading in the same space is a page whose path begins as the default ones are named.
    const [other] = readings.filter((one) => one.siteSpace.id !== siteSpace.id || one.rest.length === page.length);
    return other?.siteSpace.id === siteSpace.id;
  });
  return [...(meant ?? bases.at(-1) ?? []), ...page];
}

/** Without its name for what is the default, and by its name. */
function waysToName<T extends Named>(named: T | undefined, standard: T | undefined): string[][] {
  if (named === undefined) return [[]];
  return named.id === standard?.id ? [[], [named.path]] : [[named.path]];
}

/** The parts of an address that asks for a page as markdown, without the end that says so. Pure. */
export function withoutMarkdownEnd(parts: readonly string[]): { parts: string[]; isMarkdown: boolean } {
  const last = parts.at(-1) ?? '';
  const isMarkdown = /.\.md$/u.test(last);
  return { parts: isMarkdown ? [...parts.slice(0, -1), last.slice(0, -'.md'.length)] : [...parts], isMarkdown };
}

/** Parts of the path of an address, at most. */
export const mostPathParts = 64;

/** The parts of the path of an address, decoded and in NFC; `undefined` for one that cannot be read. Pure. */
export function partsOfPath(path: string): string[] | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  if (parts.length > mostPathParts) return undefined;
  try {
    return parts.map((part) => decodeURIComponent(part).normalize('NFC'));
  } catch {
    return undefined;
  }
}
