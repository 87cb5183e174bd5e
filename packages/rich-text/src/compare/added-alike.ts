import { isSeparate } from '../model/content.js';
import { type Signatures } from '../model/signature.js';
import { type Block } from '../model/types.js';
import { inOrder, type Pair } from './in-order.js';
import { runsOf } from './order.js';
import { type Work } from './words.js';

/** What one side has at one place, and what of it is no addition. */
export type Side = { keys: readonly string[]; isKnown: (key: string) => boolean };
/** The places of what is alike in two runs of additions. */
export type Alike = (mine: readonly string[], other: readonly string[]) => Pair[];

/** The pairs of what both sides added alike behind the same anchor, in the order of both. */
export function addedAlike(ours: Side, theirs: Side, alike: Alike): Array<[mine: string, other: string]> {
  const theirRuns = runsOf(theirs.keys, theirs.isKnown);
  if (theirRuns.size === 0) return [];
  return [...runsOf(ours.keys, ours.isKnown)].flatMap(([anchor, run]) => {
    const others = theirRuns.get(anchor) ?? [];
    return alike(run, others).map(([i, j]): [string, string] => [run[i] ?? '', others[j] ?? '']);
  });
}

const levelOf = ({ type }: Block): number => (type.startsWith('heading-') ? Number(type.slice(-1)) : 0);

/**
 * The blocks alike in two runs of additions. Items, tabs and the like are each something by itself. Other blocks are not: an introduction
 * or a closing brace belongs to what it stands with. So lines are alike where one run begins with the whole of the other, and sections where
 * all of them is, or, of the first that differ, what they begin with.
 */
export function blocksAlike(mine: readonly Block[], other: readonly Block[], signatures: Signatures, work: Work): Pair[] {
  const textOf = (block: Block): string => signatures.of(block);
  if (mine.every(isSeparate) && other.every(isSeparate)) return inOrder(mine.map(textOf), other.map(textOf), work);
  return new Sections(textOf, work).pairs(mine, other);
}

/** A part of a run: what stands before the first heading, or a heading and all below it. */
type Section = { start: number; blocks: readonly Block[] };

/** The lines before the first heading, and the sections, each up to the next heading of its level or above. */
function sectionsOf(blocks: readonly Block[]): { lead: Section; sections: Section[] } {
  const starts: number[] = [];
  let level = 0;
  blocks.forEach((block, at) => {
    const own = levelOf(block);
    if (own === 0 || (level > 0 && own > level)) return;
    starts.push(at);
    level = own;
  });
  const cut = (start: number, end: number | undefined): Section => ({ start, blocks: blocks.slice(start, end) });
  return { lead: cut(0, starts[0]), sections: starts.map((start, i) => cut(start, starts[i + 1])) };
}

class Sections {
  constructor(
    private readonly textOf: (block: Block) => string,
    private readonly work: Work,
  ) {}

  pairs(mine: readonly Block[], other: readonly Block[]): Pair[] {
    const [a, b] = [sectionsOf(mine), sectionsOf(other)];
    const lead = this.beginning(a.lead.blocks, b.lead.blocks);
    const whole = inOrder(a.sections.map((each) => this.whole(each)), b.sections.map((each) => this.whole(each)), this.work);
    const out = [...lead, ...whole.flatMap(([i, j]) => this.each(a.sections[i], b.sections[j]))];
    let same = 0;
    while (whole[same]?.[0] === same && whole[same]?.[1] === same) same++;
    const sameLead = lead.length === a.lead.blocks.length && lead.length === b.lead.blocks.length;
    return sameLead ? [...out, ...this.inside(a.sections[same], b.sections[same])] : out;
  }

  /** Where one is the beginning of the other. */
  private beginning(mine: readonly Block[], other: readonly Block[]): Pair[] {
    const [few, many] = mine.length <= other.length ? [mine, other] : [other, mine];
    const isBeginning = few.every((block, at) => this.textOf(block) === this.textOf(many[at] as Block));
    return isBeginning ? few.map((_, at): Pair => [at, at]) : [];
  }

  private whole({ blocks }: Section): string {
    return blocks.map(this.textOf).join('\u0003');
  }

  private each(mine: Section | undefined, other: Section | undefined): Pair[] {
    if (!mine || !other) return [];
    return mine.blocks.map((_, at): Pair => [mine.start + at, other.start + at]);
  }

  /** Two sections of one heading, which go on differently. */
  private inside(mine: Section | undefined, other: Section | undefined): Pair[] {
    const [a, b] = [mine?.blocks[0], other?.blocks[0]];
    if (!mine || !other || !a || !b || this.textOf(a) !== this.textOf(b)) return [];
    const below = this.pairs(mine.blocks.slice(1), other.blocks.slice(1));
    return [[mine.start, other.start], ...below.map(([i, j]): Pair => [mine.start + 1 + i, other.start + 1 + j])];
  }
}
