import type { ComputedDocument, ComputedSource } from '@scriptorium/contracts';
import type { ContentTree, Page } from '../../versions/index.js';

/** A source that somebody asks about: that of pages, or of the document of one of them. */
export interface AskedSource {
  source: ComputedSource | ComputedDocument;
  seed?: string | undefined;
}

/** A content with computed pages, and which pages these are. */
export interface Content {
  organization: string;
  space: string;
  /** The branch that it is of, as it is now; `null` for that of an older revision. */
  branch: string | null;
  tree: ContentTree;
  computed: ReadonlySet<string>;
  /** When pages were made that no computed page of the content stands for. */
  createdAt: string;
}

/** What a source stands for. */
export interface ComputedPages {
  /** At the top, without their documents. */
  pages: readonly Page[];
  /** The name of the document of a part of the source; `undefined` when there is no such part. */
  documentOf(props: unknown): string | undefined;
}
