import { addTo } from '../model/append.js';
import { isSeparate } from '../model/content.js';
import { keysFrom, type KeySource } from '../model/keys.js';
import { Signatures } from '../model/signature.js';
import { type Block, type Fragment, type Inline, type Node, type RichDocument } from '../model/types.js';
import { keysOf } from '../model/walk.js';
import { align, type Comparison } from './align.js';
import { bagOf, wordsOf } from './alike.js';
import { rematchTable } from './rematch-table.js';
import { newWork } from './work.js';

type Keyed = Block | Inline;
const isKeyed = (node: Node): node is Keyed => node.object !== 'text';
const keyedOf = (nodes: readonly Node[]): Keyed[] => nodes.filter(isKeyed);

/** The kind of a block. A change of type within a kind, such as the level of a heading, leaves it the same block. */
const kindOf = (type: string): string =>
  type.replace(/^heading-\d$/, 'heading').replace(/^list-(?:unordered|ordered|tasks)$/, 'list');

/**
 * `next` with the keys of `previous` for all nodes that are still the same. Unchanged nodes are matched first (those in
 * place, then those that moved, also into another container), then edited ones by their words and their place. All
 * other nodes keep their own keys.
 */
export function rematch(next: RichDocument, previous: RichDocument): RichDocument {
  const matching = new Rematch(next, previous);
  const nodes: Block[] = matching.list(next.nodes, previous.nodes);
  matching.findMoved();
  return { ...next, nodes };
}

const areTables = (node: Keyed, old: Keyed | undefined): old is Block => node.type === 'table' && old?.type === 'table';

type Side = 'before' | 'behind';
/** What stands before and behind each block, and what holds it. */
type Besides = ReadonlyMap<Keyed, { readonly [side in Side | 'owner']: Keyed | undefined }>;

const holdsBlocks = (node: Keyed): boolean =>
  (node.nodes ?? []).some((child) => child.object === 'block') || (node.fragments ?? []).length > 0;

class Rematch {
  private readonly signatures = new Signatures();
  private readonly taken = new Set<Keyed>();
  private readonly partners = new Map<Keyed, Keyed>();
  private readonly elsewhere = new Map<string, Keyed[]>();
  /** How many equal blocks the new document has, by their signature. */
  private readonly counts = new Map<string, number>();
  /**
   * Blocks without a match in their own list, with their copies in the result, which get keys if a match is found
   * elsewhere.
   */
  private readonly strangers = new Map<Keyed, Keyed>();
  private besideNew: Besides = new Map();
  private besideOld: Besides = new Map();
  private readonly work = newWork();
  private readonly used: ReadonlySet<string>;
  private readonly newKey: KeySource;
  private readonly comparison: Comparison<Keyed> = {
    signature: (node) => this.signatures.of(node),
    words: (node) => bagOf(ownNodes(node).flatMap((each) => wordsOf(each))),
    sameKind: (a, b) => kindOf(a.type) === kindOf(b.type),
    names: [
      (node) => (node.type === 'list-item' && node.nodes?.[0] ? this.signatures.of(node.nodes[0]) : undefined),
      nameOf,
    ],
    isElsewhere: (old) => {
      const signature = this.signatures.of(old);
      return (this.counts.get(signature) ?? 0) >= (this.elsewhere.get(signature)?.length ?? 1);
    },
  };

  constructor(
    private readonly next: RichDocument,
    private readonly previous: RichDocument,
  ) {
    this.used = keysOf(previous);
    this.newKey = keysFrom('rematched', new Set([...this.used, ...keysOf(next)]));
    eachBlock(previous.nodes, (block) => addTo(this.elsewhere, this.signatures.of(block), block));
    eachBlock(next.nodes, (block) => {
      const signature = this.signatures.of(block);
      this.counts.set(signature, (this.counts.get(signature) ?? 0) + 1);
    });
  }

  list<T extends Node>(next: readonly T[], previous: readonly Node[]): T[] {
    const olds = keyedOf(previous).filter((node) => !this.taken.has(node));
    const news = keyedOf(next).filter((node) => !this.partners.has(node));
    const partners = align(
      news,
      olds,
      { ...this.comparison, separate: news.every(isSeparate) && olds.every(isSeparate) },
      this.work,
    );
    for (const old of partners.values()) this.taken.add(old);
    return next.map((node) =>
      isKeyed(node) ? (this.take(node, partners.get(node) ?? this.partners.get(node)) as T) : node,
    );
  }

  /**
   * Matches blocks that came from another list. It runs when all lists are matched within themselves. Blocks that each
   * document has once come first, then repeated ones that moved together with a neighbour, then edited ones.
   */
  findMoved(): void {
    for (const node of this.strangers.keys()) {
      const [old, ...more] = this.elsewhere.get(this.signatures.of(node)) ?? [];
      if (old && more.length === 0 && this.counts.get(this.signatures.of(node)) === 1 && says(node))
        this.settle(node, old);
    }
    if (this.strangers.size === 0) return;
    [this.besideNew, this.besideOld] = [besides(this.next.nodes), besides(this.previous.nodes)];
    for (const node of this.strangers.keys()) this.settleBeside(node, 'before');
    for (const node of [...this.strangers.keys()].reverse()) this.settleBeside(node, 'behind');
    this.findMovedAndEdited();
  }

  /** Matches a block with the old block beside its neighbour's match, if the two blocks are equal. */
  private settleBeside(node: Keyed, side: Side): void {
    const neighbour = this.besideNew.get(node)?.[side];
    const was = neighbour && this.partners.get(neighbour);
    const old = was && this.besideOld.get(was)?.[side === 'before' ? 'behind' : 'before'];
    if (old && this.signatures.of(old) === this.signatures.of(node)) this.settle(node, old);
  }

  /**
   * Matches blocks that moved and were edited. Only blocks of text count, as containers are matched by what they hold.
   * Repeated blocks are left out, as their origin is unknown, and so are blocks that came together with other new ones,
   * as these are copies.
   */
  private findMovedAndEdited(): void {
    const isKnown = (node: Keyed | undefined): boolean => !node || this.partners.has(node);
    const cameAlone = (node: Keyed): boolean => {
      const { before, behind, owner } = this.besideNew.get(node) ?? {};
      return (
        isKnown(before) &&
        isKnown(behind) &&
        (before !== undefined || behind !== undefined || isKnown(owner) || cameAlone(owner as Keyed))
      );
    };
    const isOpen = (node: Keyed): boolean =>
      !isKnown(node) &&
      !holdsBlocks(node) &&
      cameAlone(node) &&
      wordsOf(node).length > 1 &&
      !this.elsewhere.has(this.signatures.of(node));
    const news = [...this.strangers.keys()].filter(isOpen);
    const olds = [...this.elsewhere.values()].flatMap(([old, ...more]) =>
      old && more.length === 0 && !this.taken.has(old) && !holdsBlocks(old) ? [old] : [],
    );
    for (const [node, old] of align(
      news,
      olds,
      { ...this.comparison, isElsewhere: () => true, separate: true },
      this.work,
    ))
      this.settle(node, old);
  }

  private settle(node: Keyed, old: Keyed): void {
    const result = this.strangers.get(node);
    if (!result || this.partners.has(node) || this.taken.has(old)) return;
    this.taken.add(old);
    Object.assign(result, this.take(node, old));
  }

  /** The key of a node without a match: its own, or a new one if a node of the old document has it. */
  private fresh(key: string): string {
    return this.used.has(key) ? this.newKey() : key;
  }

  private take(node: Keyed, old: Keyed | undefined): Keyed {
    const key = old?.key ?? (node.key !== undefined ? this.fresh(node.key) : undefined);
    const source = areTables(node, old) ? rematchTable(node as Block, old, this.work, (id) => this.fresh(id)) : node;
    const result = { ...source };
    if (old) this.partners.set(node, old);
    else if (node.object === 'block') this.strangers.set(node, result);
    if (key !== undefined) result.key = key;
    if (source.nodes) Object.assign(result, { nodes: this.list(source.nodes as Node[], old?.nodes ?? []) });
    if (source.fragments) result.fragments = this.fragments(source.fragments, old?.fragments ?? []);
    return result;
  }

  private fragments(parts: readonly Fragment[], olds: readonly Fragment[]): Fragment[] {
    const named = new Map([...olds].reverse().map((old) => [old.fragment, old]));
    return parts.map((part) => {
      const old = named.get(part.fragment);
      return {
        ...part,
        ...(old?.key !== undefined && { key: old.key }),
        nodes: this.list(part.nodes, old?.nodes ?? []),
      };
    });
  }
}

/** False for what is only room: an empty paragraph, a divider. */
const says = (node: Keyed): boolean => wordsOf(node).length > 0 || Object.keys(node.data).length > 0;

function besides(nodes: readonly Node[]): Besides {
  const out = new Map<Keyed, { [side in Side | 'owner']: Keyed | undefined }>();
  const add = (siblings: readonly Node[], owner: Keyed | undefined): void => {
    const keyed = keyedOf(siblings);
    keyed.forEach((node, at) => {
      out.set(node, { before: keyed[at - 1], behind: keyed[at + 1], owner });
      add(node.nodes ?? [], node);
      for (const part of node.fragments ?? []) add(part.nodes, node);
    });
  };
  add(nodes, undefined);
  return out;
}

/** Calls `visit` for every block, also those in fragments and inlines. */
function eachBlock(nodes: readonly Node[], visit: (block: Block) => void): void {
  for (const node of nodes) {
    if (node.object === 'text') continue;
    if (node.object === 'block') visit(node);
    eachBlock(node.nodes ?? [], visit);
    for (const part of node.fragments ?? []) eachBlock(part.nodes, visit);
  }
}

/** What an item says itself, without the lists in it; any other node is itself. */
function ownNodes(node: Keyed): readonly Node[] {
  if (node.type !== 'list-item') return [node];
  return (node.nodes ?? []).filter((child) => child.object !== 'block' || !child.type.startsWith('list-'));
}

/** The code or the bold words that an item or a paragraph begins with, as lists of options and definitions do. */
function nameOf(node: Keyed): string | undefined {
  const [first] = node.type === 'list-item' ? (node.nodes ?? []) : [node];
  const [text] = first?.object === 'block' && first.type === 'paragraph' ? (first.nodes ?? []) : [];
  const leaf = text?.object === 'text' ? text.leaves[0] : undefined;
  const named = leaf?.marks.some((mark) => mark.type === 'code' || mark.type === 'bold');
  return named && leaf ? `${node.type} ${leaf.text.trim()}` : undefined;
}
