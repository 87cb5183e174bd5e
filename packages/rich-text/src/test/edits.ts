import fc from 'fast-check';
import { paragraph, text } from '../model/build.js';
import { type Block, type Node, type RichDocument } from '../model/types.js';

/** One change somebody makes to a document; `at` and `to` pick a list of blocks and a place in it. */
export type Edit = { kind: 'text' | 'delete' | 'insert' | 'move'; at: number; to: number; word: string };

export const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('text', 'delete', 'insert', 'move'),
    at: fc.nat(50),
    to: fc.nat(50),
    word: fc.constantFrom('uno', 'dos', 'tres'),
  }),
  { maxLength: 4 },
);

const isBlocks = (nodes: Node[] | undefined): nodes is Block[] =>
  nodes !== undefined && nodes.length > 0 && nodes.every((node) => node.object === 'block');

function lists(document: RichDocument): Block[][] {
  const found: Block[][] = [];
  const visit = (nodes: Block[]): void => {
    found.push(nodes);
    for (const node of nodes) {
      if (isBlocks(node.nodes)) visit(node.nodes);
      if (node.type !== 'table') for (const part of node.fragments ?? []) if (isBlocks(part.nodes)) visit(part.nodes);
    }
  };
  visit(document.nodes);
  return found;
}

/** The document after the edits; new blocks get keys that begin with `side`. */
export function edited(document: RichDocument, changes: readonly Edit[], side: string): RichDocument {
  const copy = structuredClone(document);
  changes.forEach(({ kind, at, to, word }, i) => {
    const all = lists(copy);
    const list = all[at % all.length];
    if (!list || list.length === 0) return;
    const index = to % list.length;
    if (kind === 'delete' && list.length > 1) list.splice(index, 1);
    if (kind === 'insert')
      list.splice(index, 0, { ...paragraph([text(`${word} ${side}`)]), key: `${side}${i}${to}`.padEnd(12, '0') });
    if (kind === 'move') list.splice((at + to) % list.length, 0, ...list.splice(index, 1));
    const first = list[index]?.nodes?.find((node) => node.object === 'text');
    const leaf = kind === 'text' && first?.object === 'text' ? first.leaves[0] : undefined;
    if (leaf) leaf.text += ` ${word}`;
  });
  return copy;
}

/** The same value with the members of every object the other way round. */
export function reordered<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => reordered(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]: [string, unknown]) => [name, reordered(member)]),
  ) as T;
}

/** The keys of every block outside tables. */
export function blockKeys(document: RichDocument): Set<string> {
  return new Set(lists(document).flatMap((list) => list.flatMap((node) => node.key ?? [])));
}
