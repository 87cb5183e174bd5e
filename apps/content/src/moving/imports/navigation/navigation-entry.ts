import type { SummaryEntry } from '../../archive-format/index.js';

type Leaf = Extract<SummaryEntry, { type: 'link' }>;
type Around = Exclude<SummaryEntry, Leaf>;
type Listed<T> = T extends unknown ? Omit<T, 'entries'> & { entries: readonly NavigationEntry[] } : never;

/** A file of the import by its path, and a page without one. */
type Own =
  | {
      type: 'file';
      title: string;
      path: string;
      /** The navigation gives it this title, whatever its file says. */
      isNamed?: true;
      slug?: string | undefined;
    }
  /** A heading of pages: a group at the top, a page without a file within others. */
  | {
      type: 'section';
      title: string;
      slug?: string | undefined;
      /** The folder that it stands for, with a slash at its end. */
      folder?: string;
      description?: string;
      /** It is a page at the top, too. */
      isPage?: true;
    };

/** An entry of the navigation of an import, however the product says it that the pages come from. */
export type NavigationEntry = Leaf | Listed<Around> | (Own & { entries: readonly NavigationEntry[] });

/** Levels of lists that are read; what is deeper is left out. */
export const deepestList = 40;

/** An address that is none of a file: with a scheme, or from the root of a site. */
export function isAddress(text: string): boolean {
  return /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(text);
}
