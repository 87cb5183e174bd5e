import type { ComputedDocument, ContentReference } from '@scriptorium/contracts';

/** A page that was made from a source. */
export interface ComputedPage {
  /** Names it among the pages of its source, whatever its title and place are: the id of the page is made of it. */
  key: string;
  title: string;
  /** The key of the page that it stands below; absent for those directly below their source. */
  parent?: string;
  /** The part of the source that it shows. */
  computed: ComputedDocument;
  /** Its document, as an object of content. */
  document: { name: string; text: string };
}

/** A page that a script has computed: it may be a group or a link, and have no document. */
export interface ScriptedComputedPage extends Partial<ComputedPage> {
  key: string;
  title: string;
  /** Absent for documents. */
  type?: 'document' | 'group' | 'link';
  slug?: string;
  emoji?: string;
  icon?: string;
  description?: string;
  /** Where a link leads. */
  target?: ContentReference;
  /** Why there is no document of it as it would be now: it shows one from before, or none. */
  fault?: string;
  stale?: true;
}

/** What a source is expanded from: its declaration, and the texts of what it depends on. */
export interface SourceInput {
  type: string;
  props: Readonly<Record<string, unknown>>;
  /** `isPublic`: whether everybody may have it, who has its address. */
  dependencies: Readonly<Record<string, { ref: object; text: string; isPublic?: boolean }>>;
}

/** What a source depends on cannot be read: pages of it cannot be made. */
export class UnreadableSource extends Error {
  override readonly name = 'UnreadableSource';
}
