import { isObject } from '../model/json.js';
import { type Block, type Data, type Fragment, type Node, type RichDocument } from '../model/types.js';
import { type MergeConflict } from './conflict.js';

/** A conflict of a merge, with the id by which its marker names it. */
export type NamedConflict = { id: string; conflict: MergeConflict };

/** Gives what becomes of a block: the same block if nothing changes. */
type Edit = (block: Block) => Block;

/**
 * Marks the blocks that conflicts are about: `meta.conflict` of a block has the id and kind of its conflict, and the
 * other version as `theirs` (null where that side deleted the block), `ours: null` where ours did, and `orders` for a
 * conflict of order. A block has one marker: the first conflict that names it counts. `marked` holds the keys of the
 * blocks that got one, with the ids.
 */
export function withConflicts(
  document: RichDocument,
  conflicts: readonly NamedConflict[],
): { document: RichDocument; marked: Map<string, string> } {
  const byKey = new Map<string, NamedConflict>();
  for (const named of conflicts) if (!byKey.has(named.conflict.key)) byKey.set(named.conflict.key, named);
  const marked = new Map<string, string>();
  const out = edited(document, (block) => {
    const named = block.key === undefined ? undefined : byKey.get(block.key);
    if (block.key === undefined || named === undefined || marked.has(block.key)) return block;
    marked.set(block.key, named.id);
    return { ...block, meta: { ...block.meta, conflict: markerOf(named) } };
  });
  return { document: out, marked };
}

function markerOf({ id, conflict: { kind, ours, theirs, orders } }: NamedConflict): Data {
  const versions = kind === 'order' ? {} : { theirs: theirs as Data | null };
  return {
    id,
    kind,
    ...versions,
    ...(ours === null && kind === 'delete' && { ours: null }),
    ...(orders && { orders: copied(orders) }),
  };
}

const copied = ({ base, ours, theirs }: NonNullable<MergeConflict['orders']>): Data => ({
  base: [...base],
  ours: [...ours],
  theirs: [...theirs],
});

/** The blocks that have a marker: their keys by the ids of the conflicts. */
export function markedBlocks(document: RichDocument): Map<string, string[]> {
  const found = new Map<string, string[]>();
  edited(document, (block) => {
    const id = idIn(block);
    if (id !== undefined) found.set(id, [...(found.get(id) ?? []), block.key ?? '']);
    return block;
  });
  return found;
}

/** The document without markers, but for those of the conflicts in `keep`. The same document when it has no others. */
export function withoutConflicts(document: RichDocument, keep: ReadonlySet<string> = new Set()): RichDocument {
  return edited(document, (block) => {
    if (block.meta === undefined || !('conflict' in block.meta)) return block;
    const id = idIn(block);
    return id !== undefined && keep.has(id) ? block : unmarked(block);
  });
}

/** Gives blocks the markers that they have in another version of the document, unless they have one. */
export function withMarkersOf(document: RichDocument, other: RichDocument): RichDocument {
  const markers = new Map<string, Data['conflict']>();
  edited(other, (block) => {
    if (block.key !== undefined && idIn(block) !== undefined) markers.set(block.key, block.meta?.['conflict']);
    return block;
  });
  if (markers.size === 0) return document;
  return edited(document, (block) => {
    const marker = block.key === undefined ? undefined : markers.get(block.key);
    return marker === undefined || idIn(block) !== undefined
      ? block
      : { ...block, meta: { ...block.meta, conflict: marker } };
  });
}

function idIn({ meta }: Block): string | undefined {
  const conflict = meta?.['conflict'];
  return isObject(conflict) && typeof conflict['id'] === 'string' ? conflict['id'] : undefined;
}

function unmarked({ meta = {}, ...block }: Block): Block {
  const { conflict: _, ...rest } = meta;
  return Object.keys(rest).length === 0 ? block : { ...block, meta: rest };
}

/** The document with every block edited, those within others first. What nobody edited stays the same object. */
function edited(document: RichDocument, edit: Edit): RichDocument {
  const nodes = editedNodes(document.nodes, edit);
  return nodes === document.nodes ? document : { ...document, nodes };
}

function editedNodes<N extends Node>(nodes: N[], edit: Edit): N[] {
  const next = nodes.map((node) => (node.object === 'block' ? (editedBlock(node, edit) as N) : node));
  return next.some((node, at) => node !== nodes[at]) ? next : nodes;
}

function editedBlock(block: Block, edit: Edit): Block {
  const nodes = block.nodes && editedNodes(block.nodes, edit);
  const fragments = block.fragments && editedFragments(block.fragments, edit);
  const isSame = nodes === block.nodes && fragments === block.fragments;
  return edit(isSame ? block : { ...block, ...(nodes && { nodes }), ...(fragments && { fragments }) });
}

function editedFragments(fragments: Fragment[], edit: Edit): Fragment[] {
  const next = fragments.map((part) => {
    const nodes = editedNodes(part.nodes, edit);
    return nodes === part.nodes ? part : { ...part, nodes };
  });
  return next.some((part, at) => part !== fragments[at]) ? next : fragments;
}
