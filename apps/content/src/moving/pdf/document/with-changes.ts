import { diff, type Block, type Change, type Leaf, type Node, type RichDocument } from '@scriptorium/rich-text';

type Kind = 'inserted' | 'removed';

/**
 * A document with what changed in it: what was added has the mark `inserted`, and what was removed stands where it was,
 * with the mark `removed`. `before`: `null` when all of it is new.
 */
export function withChanges(before: RichDocument | null, after: RichDocument): RichDocument {
  if (before === null) return { ...after, nodes: after.nodes.map((block) => markedBlock(block, 'inserted')) };
  const changes = diff(before, after);
  const added = new Set(changes.flatMap((change) => (change.kind === 'added' ? [change.key] : [])));
  const words = new Map(
    changes.flatMap((change) => (change.kind === 'changed' ? [[change.key, change] as const] : [])),
  );
  const removed = removedBlocks(changes);
  const inside = (nodes: readonly Node[], parent: string): Node[] => {
    const shown: Node[] = nodes.map((node) => {
      if (node.object === 'text') return node;
      if (node.object === 'block' && added.has(node.key ?? '')) return markedBlock(node, 'inserted');
      const changed = node.object === 'block' ? words.get(node.key ?? '') : undefined;
      return changed === undefined
        ? deeper(node, inside)
        : changedBlock(changed, (block) => deeper(block, inside) as Block);
    });
    // From the first place on, each is put where it was.
    for (const { index, before: block } of removed.get(parent) ?? [])
      shown.splice(Math.min(index, shown.length), 0, markedBlock(block, 'removed'));
    return shown;
  };
  return { ...after, nodes: inside(after.nodes, '') as Block[] };
}

/** A document of which nothing is left. */
export function asRemoved(document: RichDocument): RichDocument {
  return { ...document, nodes: document.nodes.map((block) => markedBlock(block, 'removed')) };
}

type Removed = Extract<Change, { kind: 'removed' }>;

function removedBlocks(changes: readonly Change[]): Map<string, Removed[]> {
  const found = new Map<string, Removed[]>();
  for (const change of changes) {
    if (change.kind !== 'removed') continue;
    const same = found.get(change.parent);
    if (same === undefined) found.set(change.parent, [change]);
    else same.push(change);
  }
  for (const same of found.values()) same.sort((a, b) => a.index - b.index);
  return found;
}

function deeper(
  node: Exclude<Node, { object: 'text' }>,
  inside: (nodes: readonly Node[], parent: string) => Node[],
): Node {
  const key = node.key ?? '';
  return {
    ...node,
    ...(node.nodes === undefined ? {} : { nodes: inside(node.nodes, key) }),
    ...(node.fragments === undefined
      ? {}
      : {
          fragments: node.fragments.map((part) => ({
            ...part,
            nodes: inside(part.nodes, `${key}#${part.fragment ?? part.type ?? ''}`),
          })),
        }),
  } as Node;
}

/** A block whose words changed is its words; any other one is the former one and the present one. */
function changedBlock(
  { words, after }: Extract<Change, { kind: 'changed' }>,
  otherwise: (block: Block) => Block,
): Block {
  if (words === undefined || !isOfWords(after)) return otherwise(after);
  const leaves = words.map(({ kind, text }): Leaf => ({
    object: 'leaf',
    text,
    marks: kind === 'same' ? [] : [{ object: 'mark', type: kind === 'added' ? 'inserted' : 'removed' }],
  }));
  return { ...after, nodes: [{ object: 'text', leaves }] };
}

/** Whether a block has words alone: pictures and links in it would be lost. */
function isOfWords({ nodes = [] }: Block): boolean {
  return nodes.every(({ object }) => object === 'text');
}

function markedBlock(block: Block, kind: Kind): Block {
  return markedNode(block, kind) as Block;
}

function markedNode(node: Node, kind: Kind): Node {
  if (node.object === 'text') {
    const leaves = node.leaves.map((leaf) => ({
      ...leaf,
      marks: [...leaf.marks, { object: 'mark' as const, type: kind }],
    }));
    return { ...node, leaves };
  }
  return {
    ...node,
    ...(node.nodes === undefined ? {} : { nodes: node.nodes.map((child) => markedNode(child, kind)) }),
    ...(node.fragments === undefined
      ? {}
      : {
          fragments: node.fragments.map((part) => ({
            ...part,
            nodes: part.nodes.map((child) => markedNode(child, kind)),
          })),
        }),
  } as Node;
}
