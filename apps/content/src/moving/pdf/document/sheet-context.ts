import type { ContentRef, Node } from '@scriptorium/rich-text';
import type { Breaking, Direction } from './texts.js';
import type { SheetNode } from './sheet-nodes.js';

/** A file of the space that a page names. */
export interface NamedFile {
  name: string;
  /** Whether it is a kind of picture that can be shown. */
  isPicture: boolean;
  /** Where it can be fetched; absent when its address ends. */
  url?: string | undefined;
  width?: number | undefined;
}

/** What a page is laid out with. */
export interface SheetContext {
  /** The id of the page. */
  page: string;
  /** The id of the space: what names no other one is in it. */
  space: string;
  /** The level of the heading of the page. */
  level: number;
  /** Whether headings of the page are bookmarks: when it is the only page. */
  isOutlined: boolean;
  /** The files that the page names, by id. */
  files: Readonly<Record<string, NamedFile>>;
  /** The address of the space on its site. */
  published?: string | undefined;
  /** The ids of headings by the keys of their blocks. */
  headings: ReadonlyMap<string, string>;
  /** Anchors in texts that were not shown yet. */
  anchors: Set<string>;
  /** The level of the heading that was shown last: levels are never left out. */
  last: { level: number };
  /** Containers around the present node. */
  depth: number;
  /** Inline nodes around the present one. */
  inlineDepth: number;
  /** In which direction what is around is read. */
  direction: Direction;
  /** How long words are broken. */
  breaking: Breaking;
  /** The files that were shown as pictures. */
  pictures: Set<string>;
  /** The anchor in the page that a link means. */
  anchorOf(ref: ContentRef): string;
  blocks(ctx: SheetContext, nodes: readonly Node[]): SheetNode[];
  inlines(ctx: SheetContext, nodes: readonly Node[]): SheetNode[];
}

/** Containers that are indented; those in them are shown without their frames. */
const deepest = 8;

/** The context of what stands in a container; `undefined` when that is too deep to be drawn. */
export function within(ctx: SheetContext): SheetContext | undefined {
  return ctx.depth >= deepest ? undefined : { ...ctx, depth: ctx.depth + 1 };
}
