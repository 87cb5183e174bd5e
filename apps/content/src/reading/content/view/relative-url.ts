import { formatLinkByDefault, type FormattedLink, type FoundLink } from '@scriptorium/rich-text';

/** A page that something links to. */
export interface NamedPage {
  id: string;
  title: string;
  path: string;
  /** The file that it is in an export. */
  file: string;
}

/** The pages that links lead to, and the folder of the page that has the links. */
export interface NamedPages {
  pages: ReadonlyMap<string, NamedPage>;
  folder: readonly string[];
  /** Set for a visitor: pages that are not shown to them are not named either. */
  isForVisitor?: boolean;
}

/** The ids of the pages of the same space that links lead to. */
export function pageIdsIn(found: readonly Pick<FoundLink, 'ref'>[]): string[] {
  const ids = found.flatMap(({ ref }) =>
    typeof ref['page'] === 'string' && ref['space'] === undefined ? [ref['page']] : [],
  );
  return [...new Set(ids)];
}

/**
 * The address of a reference in markdown: relative to the page, or one that survives moves. A page that is not there is
 * named by its id, so that the reference stays when the text is written back.
 */
export function relativeUrl(
  { pages, folder, isForVisitor = false }: NamedPages,
  ref: Parameters<typeof formatLinkByDefault>[0],
  style: 'relative' | 'stable',
): FormattedLink | null {
  if (typeof ref['page'] !== 'string' || ref['space'] !== undefined) return formatLinkByDefault(ref, style);
  const page = pages.get(ref['page']);
  if (page === undefined) return isForVisitor ? null : formatLinkByDefault(ref, 'stable');
  // The file of a folder would have the same name.
  if (style === 'stable' || /(^|\/)(readme|index)$/i.test(page.path)) return formatLinkByDefault(ref, 'stable');
  const anchor = typeof ref['anchor'] === 'string' ? `#${ref['anchor']}` : '';
  return `${between(folder, page.file.split('/'))}${anchor}`;
}

function between(folder: readonly string[], file: readonly string[]): string {
  let shared = 0;
  while (shared < folder.length && shared < file.length - 1 && folder[shared] === file[shared]) shared += 1;
  return [...folder.slice(shared).map(() => '..'), ...file.slice(shared)].map(encodePart).join('/');
}

/** Blanks, `#`, `?` and brackets would end the address or change its meaning. */
function encodePart(part: string): string {
  return part.replace(/[\s#?()<>%]/g, encodeURIComponent);
}
