import { keysFrom, type KeySource } from '../model/keys.js';
import { Signatures } from '../model/signature.js';
import { type Block, type Fragment, type Inline, type Node, type RichDocument } from '../model/types.js';
import { keysOf } from '../model/walk.js';
import { align, type Comparison } from './align.js';
import { bagOf, wordsOf } from './alike.js';
import { rematchTable } from './rematch-table.js';
import { newWork } from './words.js';

type Keyed = Block | Inline;
const isKeyed = (node: Node): node is Keyed => node.object !== 'text';
const keyedOf = (nodes: readonly Node[]): Keyed[] => nodes.filter(isKeyed);

/** Types of which one is made into another while the block stays the same. */
const kindOf = (type: string): string => type.replace(/^heading-\d$/, 'heading').replace(/^list-(?:unordered|ordered|tasks)$/, 'list');

/**
 * `next` with the keys of `previous` wherever a node is still the same: unchanged ones first (in place, then moved, also into
 * another container), then edited ones by their words and their place. A node that matches nothing keeps its own key.
 */
export function rematch(next: RichDocument, previous: RichDocument): RichDocument {
  const matching = new Rematch(next, previous);
  const nodes: Block[] = matching.list(next.nodes, previous.nodes);
  matching.findMoved();
  return { ...next, nodes };
}

const areTables = (node: Keyed, old: Keyed | undefined): old is Block => node.type === 'table' && old?.type === 'table';

/** A node that found no old one in its list, and what it became, to be completed when it is found elsewhere. */
type Stranger = { node: Keyed; result: Keyed };

const holdsBlocks = (node: Keyed): boolean => (node.nodes ?? []).some((child) => child.object === 'block') || (node.fragments ?? []).length > 0;

class Rematch {
  private readonly signatures = new Signatures();
  private readonly taken = new Set<Keyed>();
  private readonly elsewhere = new Map<string, Keyed[]>();
  /** How many blocks of a content the new document has. */
  private readonly counts = new Map<string, number>();
  /** How many of the old blocks of a content were found taken. */
  private readonly passed = new Map<string, number>();
  private readonly strangers: Stranger[] = [];
  private readonly work = newWork();
  private readonly used: ReadonlySet<string>;
  private readonly newKey: KeySource;
  private readonly comparison: Comparison<Keyed> = {
    signature: (node) => this.signatures.of(node),
    words: (node) => bagOf(wordsOf(node)),
    sameKind: (a, b) => kindOf(a.type) === kindOf(b.type),
    nameOf: (node) => nameOf(node),
    isElsewhere: (old) => {
      const signature = this.signatures.of(old);
      return (this.counts.get(signature) ?? 0) >= (this.elsewhere.get(signature)?.length ?? 1);
    },
  };

  constructor(next: RichDocument, previous: RichDocument) {
    this.used = keysOf(previous);
    this.newKey = keysFrom('rematched', new Set([...this.used, ...keysOf(next)]));
    eachBlock(previous.nodes, (block) => {
      const signature = this.signatures.of(block);
      const list = this.elsewhere.get(signature);
      if (list) list.push(block);
      else this.elsewhere.set(signature, [block]);
    });
    eachBlock(next.nodes, (block) => {
      const signature = this.signatures.of(block);
      this.counts.set(signature, (this.counts.get(signature) ?? 0) + 1);
    });
  }

  list<T extends Node>(next: readonly T[], previous: readonly Node[]): T[] {
    const olds = keyedOf(previous).filter((node) => !this.taken.has(node));
    const partners = align(keyedOf(next), olds, this.comparison, this.work);
    for (const old of partners.values()) this.taken.add(old);
    return next.map((node) => (isKeyed(node) ? (this.take(node, partners.get(node)) as T) : node));
  }

  /** Blocks that found nothing in their own list may have come from another one, once every list has had its own; whole ones first. */
  findMoved(): void {
    const found = new Set<Node>();
    const rest: Stranger[] = [];
    for (const stranger of [...this.strangers]) {
      if (found.has(stranger.node)) continue;
      const old = this.freeLike(stranger.node);
      if (!old) rest.push(stranger);
      else {
        this.settle(stranger, old);
        eachBlock([stranger.node], (block) => void found.add(block));
      }
    }
    this.findMovedAndEdited(rest);
  }

  /** The first old block of the same content that nobody took; those before it are not looked at again. */
  private freeLike(node: Keyed): Keyed | undefined {
    const signature = this.signatures.of(node);
    const olds = this.elsewhere.get(signature) ?? [];
    let at = this.passed.get(signature) ?? 0;
    for (let old = olds[at]; old && this.taken.has(old); old = olds[at]) at++;
    this.passed.set(signature, at);
    return olds[at];
  }

  /** Blocks of text alone: what became of a container is known by what it holds. */
  private findMovedAndEdited(strangers: Stranger[]): void {
    const news = new Map(strangers.flatMap((stranger): Array<[Keyed, Stranger]> => (holdsBlocks(stranger.node) ? [] : [[stranger.node, stranger]])));
    const olds = [...this.elsewhere.values()].flat().filter((old) => !this.taken.has(old) && !holdsBlocks(old));
    for (const [node, old] of align([...news.keys()], olds, { ...this.comparison, isElsewhere: () => true }, this.work)) {
      // Text may hold notes, whose blocks are found with it.
      if (!this.taken.has(old)) this.settle(news.get(node) as Stranger, old);
    }
  }

  private settle({ node, result }: Stranger, old: Keyed): void {
    this.taken.add(old);
    Object.assign(result, this.take(node, old));
  }

  /** The key of a node that matches nothing: its own, unless another node had it, and may still have. */
  private fresh(key: string): string {
    return this.used.has(key) ? this.newKey() : key;
  }

  private take(node: Keyed, old: Keyed | undefined): Keyed {
    const key = old?.key ?? (node.key !== undefined ? this.fresh(node.key) : undefined);
    const source = areTables(node, old) ? rematchTable(node as Block, old, this.work, (id) => this.fresh(id)) : node;
    const result = { ...source };
    if (!old && node.object === 'block' && wordsOf(node).length > 1) this.strangers.push({ node, result });
    if (key !== undefined) result.key = key;
    if (source.nodes) Object.assign(result, { nodes: this.list(source.nodes as Node[], old?.nodes ?? []) });
    if (source.fragments) result.fragments = this.fragments(source.fragments, old?.fragments ?? []);
    return result;
  }

  private fragments(parts: readonly Fragment[], olds: readonly Fragment[]): Fragment[] {
    const named = new Map([...olds].reverse().map((old) => [old.fragment, old]));
    return parts.map((part) => {
      const old = named.get(part.fragment);
      return { ...part, ...(old?.key !== undefined && { key: old.key }), nodes: this.list(part.nodes, old?.nodes ?? []) };
    });
  }
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

/** The code or the bold words that an item or a paragraph begins with, as lists of options and definitions do. */
function nameOf(node: Keyed): string | undefined {
  const [first] = node.type === 'list-item' ? (node.nodes ?? []) : [node];
  const [text] = first?.object === 'block' && first.type === 'paragraph' ? (first.nodes ?? []) : [];
  const leaf = text?.object === 'text' ? text.leaves[0] : undefined;
  const named = leaf?.marks.some((mark) => mark.type === 'code' || mark.type === 'bold');
  return named && leaf ? `${node.type} ${leaf.text.trim()}` : undefined;
}
