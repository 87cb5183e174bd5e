import type { links, Resolved } from '@scriptorium/rich-text';

/** A reference in a document. */
export type ContentRef = ReturnType<typeof links>[number]['ref'];

/** What references lead to, by the reference as JSON. */
export type Targets = ReadonlyMap<string, Resolved>;

/** The part of a page that a reference leads to, as the end of an address. */
export function anchorOf({ anchor }: ContentRef): string {
  return typeof anchor === 'string' ? `#${anchor}` : '';
}

/** A field of a reference, which can have any form; empty when it is no text. */
export function textIn(ref: ContentRef, field: string): string {
  const value = ref[field];
  return typeof value === 'string' ? value : '';
}
