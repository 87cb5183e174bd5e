/*
 * The file format of lmdb (data version 2), as far as a check needs it. Little-endian, 64 bit:
 *
 *     page   0 u64 number, 8 u64 transaction, 16 u16 pad, 18 u16 flags, 20 u16 lower, 22 u16 upper (of an overflow:
 *            20 u32 pages)
 *            offsets inside a page count from behind this head
 *     node   0 u32 data length or child, 4 u16 flags (branch: the child's upper bits), 6 u16 key length, 8 key, data
 *     tree   0 u32 pad, 4 u16 flags, 6 u16 depth, 8 branch pages, 16 leaf pages, 24 overflow pages, 32 entries, 40 root
 *     meta   24 u32 magic, 28 u32 version, 32 address, 40 map size, 48 tree of free pages (its pad: the page size),
 *            96 tree of trees, 144 u64 last page, 152 u64 transaction, 160 u64 boot
 */
export const PAGE_HEAD = 24;
export const NODE_HEAD = 8;
export const BRANCH = 1;
export const LEAF = 2;
export const OVERFLOW = 4;
const META_FLAG = 8;
const AHEAD_FLAG = 0x1000;
export const NODE_BIG = 1;
export const NODE_TREE = 2;
export const TREE_BYTES = 48;
const MOST_PAGES = 16_777_216;
/** What a tree without pages has as its root. */
export const NO_PAGE = Number(0xffff_ffff_ffff_ffffn);

const META = PAGE_HEAD;
const MAGIC = 0xbeefc0de;
const DATA_VERSION = 2;

/** Where a tree begins and what it says of itself. */
export interface TreeRecord {
  /** Whether keys are compared byte by byte and each has one value: the only kind of tree used here. */
  readonly isPlain: boolean;
  readonly depth: number;
  readonly branches: number;
  readonly leaves: number;
  readonly overflows: number;
  readonly entries: number;
  readonly root: number;
}

export interface MetaPage {
  readonly pageSize: number;
  readonly free: TreeRecord;
  readonly main: TreeRecord;
  readonly lastPage: number;
  readonly transaction: number;
  /** Which boot of the machine wrote it; 0 for unknown. */
  readonly boot: bigint;
  /** Whether it may name pages that were not yet on disk. */
  readonly isAhead: boolean;
}

export const u64 = (b: Buffer, at: number): number => Number(b.readBigUInt64LE(at));

export function readTree(b: Buffer, at: number): TreeRecord {
  return {
    isPlain: b.readUInt32LE(at) === 0 && b.readUInt16LE(at + 4) === 0,
    depth: b.readUInt16LE(at + 6),
    branches: u64(b, at + 8),
    leaves: u64(b, at + 16),
    overflows: u64(b, at + 24),
    entries: u64(b, at + 32),
    root: u64(b, at + 40),
  };
}

/** Parses a meta page of which at least 168 bytes are given; undefined when it is none. */
export function readMeta(b: Buffer): MetaPage | undefined {
  if (b.length < 168 || (b.readUInt16LE(18) & META_FLAG) === 0) return undefined;
  if (b.readUInt32LE(META) !== MAGIC || (b.readUInt32LE(META + 4) & 0xffff) !== DATA_VERSION) return undefined;
  const pageSize = b.readUInt32LE(META + 24);
  if (pageSize < 512 || pageSize > 65_536 || (pageSize & (pageSize - 1)) !== 0) return undefined;
  return {
    pageSize,
    free: readTree(b, META + 24),
    main: readTree(b, META + 72),
    lastPage: u64(b, META + 120),
    transaction: u64(b, META + 128),
    boot: b.readBigInt64LE(META + 136),
    isAhead: (b.readUInt16LE(META + 28) & AHEAD_FLAG) !== 0,
  };
}

/** One entry of a page. */
export interface PageNode {
  /** offset inside the page */
  readonly at: number;
  readonly key: Buffer;
  /** branch: the page below; leaf: length of the data */
  readonly value: number;
  /** leaf only */
  readonly flags: number;
  /** leaf: where its data begins inside the page */
  readonly dataAt: number;
}

/**
 * The nodes of a branch or leaf page, each known to lie inside it.
 * @returns what is wrong with the page otherwise
 */
export function pageNodes(page: Buffer, isLeaf: boolean): PageNode[] | string {
  const lower = PAGE_HEAD + page.readUInt16LE(20);
  const upper = PAGE_HEAD + page.readUInt16LE(22);
  if (lower > upper || upper > page.length || lower % 2 !== 0) return 'the bounds of a page are out of range';
  const nodes: PageNode[] = [];
  for (let slot = PAGE_HEAD; slot < lower; slot += 2) {
    const at = PAGE_HEAD + page.readUInt16LE(slot);
    if (at < upper || at + NODE_HEAD > page.length) return 'an entry lies outside its page';
    const flags = page.readUInt16LE(at + 4);
    const size = page.readUInt32LE(at);
    const dataAt = at + NODE_HEAD + page.readUInt16LE(at + 6);
    const end = isLeaf ? dataAt + ((flags & NODE_BIG) !== 0 ? 24 : size) : dataAt;
    if (end > page.length) return 'an entry reaches beyond its page';
    const value = isLeaf ? size : size + flags * 0x1_0000_0000;
    nodes.push({ at, key: page.subarray(at + NODE_HEAD, dataAt), value, flags: isLeaf ? flags : 0, dataAt });
  }
  return nodes;
}

/**
 * The pages in one list of free ones: how many numbers follow, then page numbers, in which 0 is an empty place and -n
 * says that n pages begin at the number behind it.
 * @returns undefined when it is no such list
 */
export function freePages(list: Buffer): number[] | undefined {
  if (list.length < 8 || list.length % 8 !== 0 || u64(list, 0) > list.length / 8 - 1) return undefined;
  const end = 8 + 8 * u64(list, 0);
  const pages: number[] = [];
  for (let at = 8; at < end; at += 8) {
    const value = Number(list.readBigInt64LE(at));
    if (value > 0) pages.push(value);
    if (value >= 0) continue;
    at += 8;
    if (at >= end || value < -MOST_PAGES) return undefined;
    const first = Number(list.readBigInt64LE(at));
    for (let page = first; page < first - value; page += 1) pages.push(page);
  }
  return pages;
}
