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
