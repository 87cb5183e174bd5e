import type { Block, ContentRef, Node } from '@scriptorium/rich-text';
import type { ApiTexts } from '../texts/api/api-texts.js';
import type { Texts } from '../texts/texts.js';
import type { Component } from './rendered-component.js';
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
  /** What the integration of a block has rendered; `undefined` when it has not. */
  componentOf(block: Block): Component | undefined;
  /** Integrations may show frames: the host belongs to this site alone. */
  mayFrame: boolean;
  /** Where the site is searched for words. */
  searchAt(query: string): string;
  /** What is said besides the content, and in which language. */
  say: Texts;
  /** The same of cards of operations. */
  sayOfApi: ApiTexts;
  locale: string;
  /** The hosts from which the site embeds. */
  embedHosts: readonly string[];
  /** Icons are filled. */
  isSolid: boolean;
  /** Links out of the site open in a tab of their own. */
  opensTabs: boolean;
}

/** Where the schemas come from that a card names: those of one version of a specification. */
export interface SchemaSource {
  spec: string;
  schemas: Readonly<Record<string, unknown>>;
}

/** What the cards of a page that show parts of APIs share. */
export interface SharedByCards {
  /** Properties, and characters of samples, that one card shows. */
  share: { properties: number };
  /** Characters of descriptions that are still read as markdown. */
  left: { markdown: number };
  /** The id at which a schema is shown; `undefined` when the page shows no more of them. */
  idOf(source: SchemaSource, name: string): string | undefined;
  /** The id of a schema that is shown here; `undefined` when it is shown elsewhere already. */
  idHere(source: SchemaSource, name: string): string | undefined;
  /** The next schema that something leads to and that is not shown yet. */
  next(): { source: SchemaSource; name: string; id: string } | undefined;
}

/** What components may show. Texts count as elements, and so does each line of a text. */
export interface ComponentBudget {
  elements: number;
  characters: number;
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
  /** The level of the heading that was shown last. */
  level: { last: number };
  cards: SharedByCards;
  /** What is left of what the components of integrations on a page may show. */
  components: { left: ComponentBudget };
  /** The origins of frames that integrations show. */
  frames: Set<string>;
  /** A number for elements that need an id and have no key. */
  next(): number;
  blocks(nodes: readonly Node[]): HtmlNode[];
  inlines(nodes: readonly Node[]): HtmlNode[];
}
