import { type LmdbFile } from './lmdb-file.js';
import {
  BRANCH,
  freePages,
  LEAF,
  NO_PAGE,
  NODE_BIG,
  NODE_TREE,
  OVERFLOW,
  PAGE_HEAD,
  pageNodes,
  type PageNode,
  readTree,
  TREE_BYTES,
  type TreeRecord,
  u64,
} from './lmdb-page.js';

/** Says what is wrong at an offset of the file. */
export type Complain = (offset: number, what: string) => void;

/** An entry of a tree, valid during the call. `offset`: where its node stands in the file. */
export type Entry = (key: Buffer, data: Buffer, offset: number) => void;

interface Tally {
  branches: number;
  leaves: number;
  overflows: number;
  entries: number;
}

interface Bounds {
  /** at or above */
  readonly low: Buffer | undefined;
  /** below */
  readonly high: Buffer | undefined;
}

const OPEN: Bounds = { low: undefined, high: undefined };
const MAX_DEPTH = 32;

/** Walks trees of an lmdb file, checking every page, the order of all keys, and what the trees say of themselves. */
export class LmdbWalk {
  /** pages seen, one bit each: no page may belong to two places */
  private readonly seen: Uint8Array;
  pages = 0;

  /** @param branchesOnly leaves and what hangs on them are left alone: a quick look at how everything is found */
  constructor(
    private readonly file: LmdbFile,
    private readonly complain: Complain,
    private readonly branchesOnly = false,
  ) {
    this.seen = new Uint8Array(Math.ceil((file.meta.lastPage + 1) / 8));
  }

  /**
   * The trees that the file names, without their contents. It must have all of `expected` and no other; when all are
   * empty, some may be missing.
   */
  trees(expected: readonly string[]): Map<string, TreeRecord> {
    const found = new Map<string, TreeRecord>();
    this.tree(
      this.file.meta.main,
      'of trees',
      (key, data, offset) => {
        if (data.length === TREE_BYTES) found.set(key.toString('latin1').replace(/\0$/, ''), readTree(data, 0));
        else this.complain(offset, 'an entry of the tree of trees is no tree');
      },
      true,
    );
    const strange = [...found.keys()].find((name) => !expected.includes(name));
    if (strange !== undefined)
      this.complain(
        this.file.offsetOf(this.file.meta.main.root),
        `a tree ${JSON.stringify(strange)} that does not belong here`,
      );
    const missing = expected.find((name) => !found.has(name));
    // They are made one by one: a stop in between leaves some, all empty.
    if (missing !== undefined && [...found.values()].some(({ entries }) => entries > 0))
      this.complain(this.file.offsetOf(this.file.meta.main.root), `there is no tree ${missing}`);
    return found;
  }

  /**
   * The tree that keeps which pages are free (its keys are numbers, so their order is not compared). A page that is
   * free must be used nowhere else: the next write would take it.
   */
  freeTree(): void {
    this.tree(
      this.file.meta.free,
      'of free pages',
      (_key, data, offset) => {
        const pages = freePages(data);
        if (pages === undefined) return this.complain(offset, 'a list of free pages of an impossible form');
        for (const page of pages) {
          if (this.mark(page)) this.pages -= 1;
          else return this.complain(offset, 'a free page is used, free twice, or lies outside the file');
        }
      },
      true,
      false,
    );
  }

  /** Walks one tree; `name` appears in what it says. */
  tree(tree: TreeRecord, name: string, entry: Entry, whole = !this.branchesOnly, ordered = true): void {
    if (tree.root === NO_PAGE) return;
    const tally: Tally = { branches: 0, leaves: 0, overflows: 0, entries: 0 };
    const walk = { depth: tree.depth, name, entry, whole, ordered, tally };
    if (ordered && !tree.isPlain) return this.complain(this.file.offsetOf(0), `the tree ${name} is of an unknown kind`);
    if (tree.depth < 1 || tree.depth > MAX_DEPTH)
      return this.complain(this.file.offsetOf(0), `the tree ${name} has an impossible depth`);
    const sound = this.page(tree.root, 1, OPEN, walk);
    if (!sound || !whole) return;
    const wrong = (['branches', 'leaves', 'overflows', 'entries'] as const).filter(
      (what) => tally[what] !== tree[what],
    );
    for (const what of wrong)
      this.complain(
        this.file.offsetOf(tree.root),
        `the tree ${name} has ${String(tally[what])} ${what} and says ${String(tree[what])}`,
      );
  }

  private page(number: number, level: number, bounds: Bounds, walk: Walk): boolean {
    const isLeaf = level === walk.depth;
    if (isLeaf && !walk.whole) return true;
    const offset = this.file.offsetOf(number);
    const page = this.take(number);
    if (typeof page === 'string') return this.wrong(offset, `${page}, in the tree ${walk.name}`);
    if ((page.readUInt16LE(18) & (BRANCH | LEAF | OVERFLOW)) !== (isLeaf ? LEAF : BRANCH))
      return this.wrong(offset, `a page of another kind than expected in the tree ${walk.name}`);
    const nodes = pageNodes(page, isLeaf);
    if (typeof nodes === 'string') return this.wrong(offset, nodes);
    if (!isLeaf && nodes.length < 1) return this.wrong(offset, 'an empty branch page');
    if (walk.ordered && !this.inOrder(nodes, isLeaf, bounds, offset)) return false;
    if (isLeaf) return this.leaf(page, nodes, offset, walk);
    walk.tally.branches += 1;
    let sound = true;
    nodes.forEach((node, i) => {
      const below = { low: i === 0 ? bounds.low : node.key, high: nodes[i + 1]?.key ?? bounds.high };
      if (!this.page(node.value, level + 1, below, walk)) sound = false;
    });
    return sound;
  }

  private leaf(page: Buffer, nodes: readonly PageNode[], offset: number, walk: Walk): boolean {
    walk.tally.leaves += 1;
    walk.tally.entries += nodes.length;
    let sound = true;
    for (const node of nodes) {
      const data =
        (node.flags & NODE_BIG) === 0
          ? page.subarray(node.dataAt, node.dataAt + node.value)
          : this.overflow(page, node, walk);
      if (typeof data === 'string') sound = this.wrong(offset + node.at, data);
      else if ((node.flags & ~(NODE_BIG | NODE_TREE)) !== 0)
        sound = this.wrong(offset + node.at, 'an entry of an unknown kind');
      else walk.entry(node.key, data, offset + node.at);
    }
    return sound;
  }

  private overflow(page: Buffer, node: PageNode, walk: Walk): Buffer | string {
    const first = u64(page, node.dataAt);
    const count = u64(page, node.dataAt + 16);
    const needed = Math.ceil((PAGE_HEAD + node.value) / this.file.meta.pageSize);
    if (count !== needed) return 'a long value has another number of pages than it needs';
    for (let i = 1; i < count; i += 1)
      if (!this.mark(first + i)) return 'a page of a long value belongs to two places or lies outside the file';
    const bytes = this.take(first, count);
    if (typeof bytes === 'string') return bytes;
    if ((bytes.readUInt16LE(18) & OVERFLOW) === 0 || bytes.readUInt32LE(20) !== count)
      return 'a long value does not begin where it should';
    walk.tally.overflows += count;
    return bytes.subarray(PAGE_HEAD, PAGE_HEAD + node.value);
  }

  /** Marks and reads a page, or several of which only the first has a head. */
  private take(number: number, count = 1): Buffer | string {
    if (!this.mark(number))
      return this.file.isPage(number) ? 'a page belongs to two places' : 'a page outside the file is named';
    const page = this.file.read(number, count);
    if (page.length < count * this.file.meta.pageSize) return 'a page is cut short';
    return u64(page, 0) === number ? page : 'a page has the number of another one';
  }

  private mark(number: number): boolean {
    if (!this.file.isPage(number)) return false;
    const bit = 1 << (number % 8);
    const at = Math.floor(number / 8);
    if (((this.seen[at] ?? 0) & bit) !== 0) return false;
    this.seen[at] = (this.seen[at] ?? 0) | bit;
    this.pages += 1;
    return true;
  }

  private inOrder(nodes: readonly PageNode[], isLeaf: boolean, { low, high }: Bounds, offset: number): boolean {
    // The first key of a branch page stands for everything below the second.
    let before = low;
    for (const node of isLeaf ? nodes : nodes.slice(1)) {
      const first = node === nodes[0];
      const order = before === undefined ? -1 : Buffer.compare(before, node.key);
      if (order > 0 || (order === 0 && !first) || (high !== undefined && Buffer.compare(node.key, high) >= 0))
        return this.wrong(offset + node.at, 'a key out of order');
      before = node.key;
    }
    return true;
  }

  private wrong(offset: number, what: string): false {
    this.complain(offset, what);
    return false;
  }
}

interface Walk {
  readonly depth: number;
  readonly name: string;
  readonly entry: Entry;
  readonly whole: boolean;
  readonly ordered: boolean;
  readonly tally: Tally;
}
