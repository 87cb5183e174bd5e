import { append } from '../model/append.js';
import { fragmentRule, headingLevel, ruleOf, type Rule } from '../model/content.js';
import { keysFrom, type KeySource } from '../model/keys.js';
import { DEFAULT_LIMITS } from '../model/limits.js';
import { filled } from '../model/fitting.js';
import { sameJson } from '../model/same.js';
import { type Block, type Data, type Fragment, type InlineNode, type Node, type RichDocument } from '../model/types.js';
import { type MergeConflict } from './conflict.js';
import { mergeJson } from './json-merge.js';
import { editedDeletions } from './edited-deletions.js';
import { mergeOrder } from './order.js';
import { mergeOwn } from './own.js';
import { withOwnKeys } from './own-keys.js';
import { follow, readingOrder, type Places } from './places.js';
import { settleReplaced } from './replaced.js';
import { sameAdditions, withBlocks } from './same-additions.js';
import { blocksIn, fragmentPlace, indexTree, inlinesIn, ownerOf, type Entry, type TreeIndex } from './tree-index.js';
import { newWork, type Work } from './work.js';

export type MergeResult = { document: RichDocument; conflicts: MergeConflict[] };

/**
 * Three-way merge of documents that grew out of `base`, blocks matched by key. Edits of different blocks, or of
 * different words of one block, both count. Where they exclude each other `ours` stays and the conflict holds both. No
 * block is lost that neither side deleted.
 */
export function merge(base: RichDocument, ours: RichDocument, theirs: RichDocument): MergeResult {
  return mergeWithin(newWork(), base, ours, theirs);
}

function mergeWithin(work: Work, base: RichDocument, ours: RichDocument, theirs: RichDocument): MergeResult {
  if (sameJson(ours, theirs) || sameJson(theirs, base)) return { document: ours, conflicts: [] };
  if (sameJson(ours, base)) return { document: theirs, conflicts: [] };
  return new Merge(work, base, ours, theirs).run();
}

const haveBlocks = (sides: Array<Block | Fragment | undefined>): boolean =>
  sides.every((side) => !side || blocksIn(side.nodes).length > 0);

class Merge {
  private readonly base: TreeIndex;
  private ours: TreeIndex;
  private theirs: TreeIndex;
  private readonly conflicts: MergeConflict[] = [];
  private readonly reported = new Set<string>();
  private readonly places: Places = new Map();
  private readonly members = new Map<string, Set<string>>();
  /** For base, ours and theirs: the keys at each place in the order of that side. */
  private orders: ReadonlyArray<ReadonlyMap<string, string[]>> = [];
  private keys: KeySource | undefined;

  private oursDocument: RichDocument;
  private theirsDocument: RichDocument;

  constructor(
    private readonly work: Work,
    private readonly baseDocument: RichDocument,
    ours: RichDocument,
    theirs: RichDocument,
  ) {
    this.base = indexTree(baseDocument);
    [this.oursDocument, this.theirsDocument] = [ours, theirs];
    [this.ours, this.theirs] = [indexTree(ours), indexTree(theirs)];
    for (let level = 0; level < DEFAULT_LIMITS.maxDepth; level++) {
      const chosen = sameAdditions(this.base, this.ours, this.theirs, work);
      if (chosen.size === 0) break;
      [this.oursDocument, this.theirsDocument] = [
        withBlocks(this.oursDocument, chosen),
        withBlocks(this.theirsDocument, chosen),
      ];
      [this.ours, this.theirs] = [indexTree(this.oursDocument), indexTree(this.theirsDocument)];
    }
    this.settleReplaced();
  }

  /** Makes conflicts of the blocks by which both sides replaced the same blocks, so that they are not both added. */
  private settleReplaced(): void {
    const settled = settleReplaced(this.base, this.ours, this.theirs);
    if (settled.conflicts.length === 0) return;
    append(this.conflicts, settled.conflicts);
    this.oursDocument = withBlocks(this.oursDocument, settled.ours);
    this.theirsDocument = withBlocks(this.theirsDocument, settled.theirs);
    [this.ours, this.theirs] = [indexTree(this.oursDocument), indexTree(this.theirsDocument)];
  }

  run(): MergeResult {
    const { base, ours, theirs } = this;
    const deletions = [editedDeletions(base, ours, theirs), editedDeletions(base, theirs, ours)];
    for (const { changed } of deletions) for (const key of changed) this.report('delete', key);
    for (const key of new Set([...this.ours.entries.keys(), ...this.theirs.entries.keys()])) {
      const isDeleted = this.base.entries.has(key) && !(this.ours.entries.has(key) && this.theirs.entries.has(key));
      if (!isDeleted || deletions.some(({ keys }) => keys.has(key))) this.places.set(key, this.placeOf(key));
    }
    for (const side of [this.ours, this.theirs]) follow(side, this.base, this.places);
    this.breakCycles();
    this.orders = [this.base, this.ours, this.theirs].map((index) => readingOrder(index, this.places));
    for (const [key, place] of this.places) {
      const members = this.members.get(place);
      if (members) members.add(key);
      else this.members.set(place, new Set([key]));
    }
    const data = mergeJson(this.baseDocument.data, this.oursDocument.data, this.theirsDocument.data);
    const nodes = withOwnKeys(this.children(''), this.places.keys(), () => this.newKey());
    const document: RichDocument = { ...this.oursDocument, data: (data.value ?? {}) as Data, nodes };
    return { document, conflicts: this.conflicts };
  }

  /** The place of a block: where the side that moved it put it. If both sides moved it, ours decides. */
  private placeOf(key: string): string {
    const was = this.base.entries.get(key)?.parent;
    const mine = this.ours.entries.get(key)?.parent;
    const other = this.theirs.entries.get(key)?.parent;
    if (mine === undefined || other === undefined) return mine ?? other ?? '';
    if (mine === other || other === was) return mine;
    if (mine === was) return other;
    this.report('move', key);
    return mine;
  }

  /**
   * Moves blocks whose place is gone, or is inside the block itself, to their old place or, if that is no better, to
   * the top level.
   */
  private breakCycles(): void {
    for (const key of [...this.places.keys()].sort()) {
      if (this.reachesTop(key)) continue;
      this.report('move', key);
      this.places.set(key, this.base.entries.get(key)?.parent ?? '');
      if (!this.reachesTop(key)) this.places.set(key, '');
    }
  }

  private reachesTop(key: string): boolean {
    const seen = new Set<string>();
    for (let at = key; at !== ''; at = ownerOf(this.places.get(at) ?? '')) {
      if (seen.has(at) || !this.places.has(at)) return false;
      seen.add(at);
    }
    return true;
  }

  private children(place: string): Block[] {
    const members = this.members.get(place);
    if (!members) return [];
    const [base = [], ours = [], theirs = []] = this.orders.map((order) => order.get(place));
    const { order, conflict } = mergeOrder(base, ours, theirs, members, (key) => this.levelOf(key));
    if (conflict) this.report('order', ownerOf(place), { orders: { base, ours, theirs } });
    return order.flatMap((key) => this.build(key) ?? []);
  }

  private levelOf(key: string): number {
    const block = (this.ours.entries.get(key) ?? this.theirs.entries.get(key))?.block;
    return block ? headingLevel(block) : 0;
  }

  /**
   * The merged block. Null for a list, columns and similar blocks if the two sides together removed all their parts.
   */
  private build(key: string): Block | null {
    const [was, mine, other] = [this.base.entries.get(key), this.ours.entries.get(key), this.theirs.entries.get(key)];
    const [a, b] = [mine?.block, other?.block];
    const own =
      a && b
        ? mergeOwn(was?.block, a, b, this.work, (...documents) => mergeWithin(this.work, ...documents))
        : { block: (a ?? b) as Block, conflict: false };
    if (own.conflict) this.report('edit', key);
    const { block } = own;
    const out: Block = { ...block };
    const inside = this.children(key);
    if (inside.length > 0) out.nodes = inside;
    else if (block.nodes) {
      out.nodes = this.left(inlinesIn(block.nodes), [a, b], ruleOf(block.type));
      if (out.nodes.length === 0 && haveBlocks([a, b])) return null;
    }
    if (block.type !== 'table') {
      const fragments = this.fragments(key, block.type, [mine, other]);
      if (fragments) out.fragments = fragments;
      else delete out.fragments;
    }
    return out;
  }

  /** The fragments of both sides. A fragment that only one side has stays if it is new, or if a block in it stays. */
  private fragments(key: string, type: string, sides: Array<Entry | undefined>): Fragment[] | undefined {
    const parts = new Map<string, Fragment[]>();
    for (const side of sides) {
      (side?.block.fragments ?? []).forEach((part, at) => {
        const place = fragmentPlace(key, part, at);
        parts.set(place, [...(parts.get(place) ?? []), part]);
      });
    }
    if (parts.size === 0) return sides.some((side) => side?.block.fragments) ? [] : undefined;
    const present = sides.filter((side) => side !== undefined).length;
    const out: Fragment[] = [];
    for (const [place, [first, second]] of parts) {
      const dropped = present === 2 && !second && this.base.children.has(place) && !this.members.has(place);
      if (!first || dropped) continue;
      const inside = this.children(place);
      const nodes =
        inside.length > 0
          ? inside
          : this.left(inlinesIn(first.nodes), [first, second], fragmentRule(type, first.fragment));
      out.push({ ...first, nodes });
    }
    return out;
  }

  /** Fills what the two sides emptied together, as the format allows no empty container. */
  private left(plain: InlineNode[], sides: Array<Block | Fragment | undefined>, rule: Rule | undefined): Node[] {
    return rule && haveBlocks(sides) ? filled(plain, rule, () => this.newKey()) : plain;
  }

  /** Keys that do not depend on which side is ours. */
  private newKey(): string {
    this.keys ??= keysFrom([...this.places.keys()].sort().join(), new Set(this.places.keys()));
    return this.keys();
  }

  private report(kind: MergeConflict['kind'], key: string, more: Pick<MergeConflict, 'orders'> = {}): void {
    if (this.reported.has(`${kind} ${key}`)) return;
    this.reported.add(`${kind} ${key}`);
    const block = (index: TreeIndex): Block | null => index.entries.get(key)?.block ?? null;
    this.conflicts.push({
      kind,
      key,
      base: block(this.base),
      ours: block(this.ours),
      theirs: block(this.theirs),
      ...more,
    });
  }
}
