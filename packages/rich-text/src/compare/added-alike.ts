import { headingLevel, isSeparate } from '../model/content.js';
import { type Signatures } from '../model/signature.js';
import { type Block } from '../model/types.js';
import { inOrder, type Pair } from './in-order.js';
import { runsOf, sectionsOf, type Section } from './order.js';
import { type Work } from './work.js';

/**
 * The keys of one side at one place. `isKnown`: the base or the other side has the key as well, so that it is no
 * addition.
 */
export type Side = { keys: readonly string[]; isKnown: (key: string) => boolean };
/** Pairs the items that are alike in two runs of additions, by their indexes. */
export type Alike = (mine: readonly string[], other: readonly string[]) => Pair[];

/** Pairs of keys: what both sides added alike behind the same anchor. The pairs are in the order of both sides. */
export function addedAlike(ours: Side, theirs: Side, alike: Alike): Array<[mine: string, other: string]> {
  const theirRuns = runsOf(theirs.keys, theirs.isKnown);
  if (theirRuns.size === 0) return [];
  return [...runsOf(ours.keys, ours.isKnown)].flatMap(([anchor, run]) => {
    const others = theirRuns.get(anchor) ?? [];
    return alike(run, others).map(([i, j]): [string, string] => [run[i] ?? '', others[j] ?? '']);
  });
}

/**
 * Finds the blocks that are alike in two runs of additions. List items, tabs and similar parts are compared one by one.
 * Other blocks belong to their neighbours (an introduction, a closing brace), so two rules hold for them. Blocks before
 * the first heading are alike if one run begins with all blocks of the other. Sections are alike if all their blocks
 * are equal; of the first two sections that differ, only the blocks at their beginning can be alike.
 */
export function blocksAlike(
  mine: readonly Block[],
  other: readonly Block[],
  signatures: Signatures,
  work: Work,
): Pair[] {
  const textOf = (block: Block): string => signatures.of(block);
  if (mine.every(isSeparate) && other.every(isSeparate)) return inOrder(mine.map(textOf), other.map(textOf), work);
  return new Sections(textOf, work).pairs(mine, other);
}

/** What stands before the first heading of a run, and its sections. */
function partsOf(blocks: readonly Block[]): { lead: readonly Block[]; sections: Section<Block>[] } {
  const [first, ...others] = sectionsOf(blocks, headingLevel);
  if (!first || first.level < Infinity) return { lead: [], sections: first ? [first, ...others] : [] };
  return { lead: first.items, sections: others };
}

class Sections {
  constructor(
    private readonly textOf: (block: Block) => string,
    private readonly work: Work,
  ) {}

  pairs(mine: readonly Block[], other: readonly Block[]): Pair[] {
    const [a, b] = [partsOf(mine), partsOf(other)];
    const lead = this.beginning(a.lead, b.lead);
    const whole = inOrder(
      a.sections.map((each) => this.whole(each)),
      b.sections.map((each) => this.whole(each)),
      this.work,
    );
    const out = [...lead, ...whole.flatMap(([i, j]) => this.each(a.sections[i], b.sections[j]))];
    let same = 0;
    while (whole[same]?.[0] === same && whole[same]?.[1] === same) same++;
    const sameLead = lead.length === a.lead.length && lead.length === b.lead.length;
    return sameLead ? [...out, ...this.inside(a.sections[same], b.sections[same])] : out;
  }

  /** Pairs the blocks if one run is the beginning of the other. Two lists of one type count as the same list. */
  private beginning(mine: readonly Block[], other: readonly Block[]): Pair[] {
    const [few, many] = mine.length <= other.length ? [mine, other] : [other, mine];
    if (few.length === 1 && few[0]?.type.startsWith('list-') && few[0].type === many[0]?.type) return [[0, 0]];
    const isBeginning = few.every((block, at) => this.textOf(block) === this.textOf(many[at] as Block));
    return isBeginning ? few.map((_, at): Pair => [at, at]) : [];
  }

  private whole({ items }: Section<Block>): string {
    return items.map(this.textOf).join('\u0003');
  }

  private each(mine: Section<Block> | undefined, other: Section<Block> | undefined): Pair[] {
    if (!mine || !other) return [];
    return mine.items.map((_, at): Pair => [mine.start + at, other.start + at]);
  }

  /** Pairs the beginnings of two sections that have the same heading and then differ. */
  private inside(mine: Section<Block> | undefined, other: Section<Block> | undefined): Pair[] {
    const [a, b] = [mine?.items[0], other?.items[0]];
    if (!mine || !other || !a || !b || this.textOf(a) !== this.textOf(b)) return [];
    const below = this.pairs(mine.items.slice(1), other.items.slice(1));
    return [[mine.start, other.start], ...below.map(([i, j]): Pair => [mine.start + 1 + i, other.start + 1 + j])];
  }
}
