import {
  anchors,
  derivedIds,
  foreignAnchors,
  resolveAnchor,
  type ContentRef,
  type Heading,
  type RichDocument,
} from '@scriptorium/rich-text';

/** What links within a page, and to it from elsewhere, can name. */
export interface Anchors {
  /** The reference with the id that its anchor means, where it leads to a place of the same page. */
  resolved(ref: ContentRef): ContentRef;
  /** Ids of headings besides those of the outline, by keys of blocks: of their texts, and of other products. */
  otherIds: ReadonlyMap<string, readonly string[]>;
  /** The anchors in texts, without those that a heading has. */
  inTexts: Set<string>;
}

export function anchorsOf(document: RichDocument, headings: readonly Heading[]): Anchors {
  const ids = anchors(document);
  const ofHeadings = new Set(headings.map(({ id }) => id));
  const used = new Set(ids);
  const derived = derivedIds(document);
  const otherIds = new Map<string, string[]>();
  for (const { key, title } of headings) {
    const ofText = derived.get(key);
    const others = foreignAnchors(title).filter((id) => !used.has(id));
    for (const id of others) used.add(id);
    otherIds.set(key, ofText === undefined ? others : [ofText, ...others]);
    if (ofText !== undefined) ofHeadings.add(ofText);
  }
  return {
    resolved(ref) {
      const { kind, page, anchor } = ref;
      if (kind !== 'anchor' || page !== undefined || typeof anchor !== 'string') return ref;
      return { ...ref, anchor: resolveAnchor(anchor, ids) ?? anchor };
    },
    otherIds,
    inTexts: new Set(ids.filter((id) => !ofHeadings.has(id))),
  };
}
