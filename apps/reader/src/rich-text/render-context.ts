import type { Block, ContentRef, Node } from '@scriptorium/rich-text';
import type { HtmlNode } from './html.js';

/** Where a reference leads: an address that is safe, and what it is called. */
export interface Target {
  href: string;
  title?: string | undefined;
  /** Leads out of the site. */
  isExternal?: boolean;
}

/** A file that a document shows. */
export interface ShownFile {
  name: string;
  url: string;
  size?: number | undefined;
  width?: number | undefined;
  height?: number | undefined;
}

/** What rendering a document needs to know of the site around it. */
export interface Surroundings {
  /** Where a reference leads; `undefined` for what the site does not show. */
  targetOf(ref: ContentRef): Target | undefined;
  /** The file that a reference names, or an image elsewhere. */
  fileOf(ref: ContentRef): ShownFile | undefined;
  /** The lines of a block of code with their words marked; `undefined` when they were not. */
  linesOf(code: Block): readonly HtmlNode[][] | undefined;
  /** Where the site is searched for words. */
  searchAt(query: string): string;
  /** Links out of the site open in a tab of their own. */
  opensTabs: boolean;
}

export interface RenderContext extends Surroundings {
  /** The ids of headings by the keys of their blocks. */
  headings: ReadonlyMap<string, string>;
  /** Ids that other products give to headings, by the keys of their blocks: links made for these lead there, too. */
  otherIds: ReadonlyMap<string, readonly string[]>;
  /** The anchors in texts that are not shown yet. */
  anchors: Set<string>;
  /** Bodies of notes, in their order; they are shown behind the text. */
  notes: { id: string; nodes: Node[] }[];
  /** A number for elements that need an id and have no key. */
  next(): number;
  blocks(nodes: readonly Node[]): HtmlNode[];
  inlines(nodes: readonly Node[]): HtmlNode[];
}
