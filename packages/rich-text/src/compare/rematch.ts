import { type Block, type Fragment, type Inline, type Node, type RichDocument } from '../model/types.js';
import { rematchTable } from './rematch-table.js';
import { Signatures, similarity, wordsOf } from './signature.js';

/** Nodes at least this alike are the same node, edited. */
const ALIKE = 0.5;
/** Pairs compared by words in one list; beyond it only neighbours are. */
const MAX_PAIRS = 10_000;

type Keyed = Block | Inline;
const isKeyed = (node: Node): node is Keyed => node.object !== 'text';
const keyedOf = (nodes: readonly Node[]): Keyed[] => nodes.flatMap((node) => (isKeyed(node) ? [node] : []));

/**
 * `next` with the keys of `previous` wherever a node is still the same: unchanged ones first (in place, then moved, also into
 * another container), then edited ones by their words. A node that matches nothing keeps its own key.
 */
export function rematch(next: RichDocument, previous: RichDocument): RichDocument {
  const matching = new Rematch(previous);
  const nodes: Block[] = matching.list(next.nodes, previous.nodes);
  matching.findMoved();
  return { ...next, nodes };
}

/** Tables bring ids of their own. */
const withOldIds = (node: Keyed, old: Keyed | undefined): Keyed => (node.object === 'block' && node.type === 'table' && old?.object === 'block' ? rematchTable(node, old) : node);

class Rematch {
  private readonly signatures = new Signatures();
  private readonly taken = new Set<Keyed>();
  private readonly elsewhere = new Map<string, Keyed[]>();
  private readonly strangers: Array<{ node: Keyed; result: Keyed }> = [];

  constructor(previous: RichDocument) {
    const index = (node: Node): void => {
      if (!isKeyed(node)) return;
      if (node.object === 'block') this.remember(node);
      for (const child of node.nodes ?? []) index(child);
      for (const part of node.fragments ?? []) for (const child of part.nodes) index(child);
    };
    for (const node of previous.nodes) index(node);
  }

  private remember(node: Keyed): void {
    const signature = this.signatures.of(node);
    const list = this.elsewhere.get(signature);
    if (list) list.push(node);
    else this.elsewhere.set(signature, [node]);
  }

  list<T extends Node>(next: readonly T[], previous: readonly Node[]): T[] {
    const partners = new Map<Keyed, Keyed>();
    const olds = keyedOf(previous).filter((node) => !this.taken.has(node));
    const news = keyedOf(next);
    this.exact(news, olds, partners);
    this.alike(news, olds, partners);
    return next.map((node) => (isKeyed(node) ? (this.take(node, partners.get(node)) as T) : node));
  }

  private pair(node: Keyed, old: Keyed, partners: Map<Keyed, Keyed>): void {
    partners.set(node, old);
    this.taken.add(old);
  }

  /** Unchanged nodes of the list, in order first, so that equal nodes keep their places. */
  private exact(news: Keyed[], olds: Keyed[], partners: Map<Keyed, Keyed>): void {
    const bySignature = new Map<string, Keyed[]>();
    for (const old of olds) {
      const signature = this.signatures.of(old);
      const list = bySignature.get(signature);
      if (list) list.push(old);
      else bySignature.set(signature, [old]);
    }
    for (const node of news) {
      const old = bySignature.get(this.signatures.of(node))?.shift();
      if (old) this.pair(node, old, partners);
    }
  }

  /** Edited nodes: between the same unchanged neighbours first, then anywhere in the list. */
  private alike(news: Keyed[], olds: Keyed[], partners: Map<Keyed, Keyed>): void {
    const restOld = olds.filter((old) => !this.taken.has(old));
    const restNew = news.filter((node) => !partners.has(node));
    if (restOld.length === 0 || restNew.length === 0) return;
    const words = new Map([...restOld, ...restNew].map((node) => [node, wordsOf(node)]));
    const score = (node: Keyed, old: Keyed): number => (node.type !== old.type ? 0 : similarity(words.get(node) ?? [], words.get(old) ?? []));
    if (restNew.length * restOld.length <= MAX_PAIRS) {
      const pairs = restNew.flatMap((node, i) => restOld.map((old, j) => ({ node, old, score: score(node, old), far: Math.abs(i - j) })));
      pairs.sort((a, b) => b.score - a.score || a.far - b.far);
      for (const { node, old, score: found } of pairs) if (found >= ALIKE && !partners.has(node) && !this.taken.has(old)) this.pair(node, old, partners);
    } else {
      restNew.forEach((node, i) => {
        const old = restOld.slice(Math.max(i - 3, 0), i + 4).find((each) => !this.taken.has(each) && score(node, each) >= ALIKE);
        if (old) this.pair(node, old, partners);
      });
    }
    this.sameSlot(news, olds, partners);
  }

  /** A container whose place and kind are the same is the same, however much changed inside. */
  private sameSlot(news: Keyed[], olds: Keyed[], partners: Map<Keyed, Keyed>): void {
    if (news.length !== olds.length) return;
    news.forEach((node, i) => {
      const old = olds[i];
      if (old && !partners.has(node) && !this.taken.has(old) && old.type === node.type && (node.nodes ?? []).some((child) => child.object === 'block')) this.pair(node, old, partners);
    });
  }

  /** Blocks that found nothing in their own list may have come from another one, once every list has had its own. */
  findMoved(): void {
    for (const { node, result } of this.strangers) {
      const old = this.elsewhere.get(this.signatures.of(node))?.find((each) => !this.taken.has(each));
      if (!old) continue;
      this.taken.add(old);
      Object.assign(result, this.take(node, old));
    }
  }

  private take(node: Keyed, old: Keyed | undefined): Keyed {
    const key = old?.key ?? node.key;
    const source = withOldIds(node, old);
    const nodes = source.nodes && this.list(source.nodes as Node[], old?.nodes ?? []);
    const fragments = source.fragments?.map((part) => this.fragment(part, old));
    const result = { ...source };
    if (key !== undefined) result.key = key;
    if (nodes) Object.assign(result, { nodes });
    if (fragments) result.fragments = fragments;
    if (!old && node.object === 'block' && wordsOf(node).length > 1) this.strangers.push({ node, result });
    return result;
  }

  private fragment(part: Fragment, owner: Keyed | undefined): Fragment {
    const old = owner?.fragments?.find((each) => each.fragment === part.fragment);
    return { ...part, ...(old?.key !== undefined && { key: old.key }), nodes: this.list(part.nodes, old?.nodes ?? []) };
  }
}
