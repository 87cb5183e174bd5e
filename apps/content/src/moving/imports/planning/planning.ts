import type { Manifest, SummaryEntry } from '../../archive-format/index.js';
import type { Files } from '../folder.js';
import type { Navigation } from '../navigation/read-navigation.js';
import type { PresentContent } from './present.js';

/** What is there, and how it is to be taken. */
export interface Planning {
  files: Files;
  /** The table of contents, if there is one. `isKnown`: it is the one that the manifest was written with. */
  summary?: { path: string; entries: readonly SummaryEntry[]; isKnown: boolean } | undefined;
  /** The navigation of another product. */
  navigation?: Navigation | undefined;
  manifest?: Manifest | undefined;
  /** Ids that are taken where the pages go. */
  taken: ReadonlySet<string>;
  /** What is replaced. */
  present: PresentContent;
  /** Pages stand in a page: there are no groups. */
  isInPage: boolean;
  /** How deep that page lies. */
  depth: number;
  limits: Record<'pagesPerSpace' | 'filesPerSpace' | 'reusableContentsPerSpace', number>;
}
