import { addTo } from '../model/append.js';
import { type Bag, similarity } from './alike.js';
import { between, inOrder, onlyOnce, type Pair } from './in-order.js';
import { growing } from './order.js';
import { type Work } from './work.js';

/** From this similarity on, two items are taken for one item that was edited, wherever they stand. */
const ALIKE = 0.5;
/** The most pairs that are all compared by words. If there are more, each item is compared with neighbours only. */
const MAX_PAIRS = 10_000;
const NEIGHBOURS = 3;
/** The costs of looking at a pair and of reading a word. A pair of equal words costs 1. */
const PAIR = 20;
const WORD = 4;
/** The most equal items among which the right one is searched for by its neighbours. */
const MAX_EQUAL = 100;
/** Items of a gap count as rewritten only if one list has at most this many times as many items as the other. */
const MOST_REWRITTEN = 2;

/** How the items of two lists are compared. */
export type Comparison<T> = {
  /** Two items have equal signatures if nothing in them differs. */
  signature: (item: T) => string;
  /** The words by which edited items are found. */
  words: (item: T) => Bag;
  /** True for items of which one can be the other, edited. */
  sameKind: (a: T, b: T) => boolean;
  /**
   * Names of an item, such as its first line or its bold words. Two items are the same if only they have a name, each
   * in its list.
   */
  names: ReadonlyArray<(item: T) => string | undefined>;
  /**
   * True if the old item now stands elsewhere in the document. It is then not matched with the item that took its
   * place.
   */
  isElsewhere: (old: T) => boolean;
  /** True if neighbours say nothing about an item, as with rows of a table. */
  separate?: boolean;
};

/**
 * Finds the old item for each new item that is still the same. It first matches unchanged items (those in order, then
 * those that moved), then edited items by their words (between the same neighbours, then anywhere), and at last items
 * of one kind between the same neighbours.
 */
export function align<T extends object>(
  news: readonly T[],
  olds: readonly T[],
  comparison: Comparison<T>,
  work: Work,
): Map<T, T> {
  return new Alignment(news, olds, comparison, work).run();
}

type Gap = { news: number[]; olds: number[] };

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

class Alignment<T extends object> {
  private readonly partners = new Map<number, number>();
  private readonly taken = new Set<number>();
  private readonly bags = new Map<T, Bag>();
  private readonly newSignatures: string[];
  private readonly oldSignatures: string[];

  constructor(
    private readonly news: readonly T[],
    private readonly olds: readonly T[],
    private readonly comparison: Comparison<T>,
    private readonly work: Work,
  ) {
    this.newSignatures = news.map(comparison.signature);
    this.oldSignatures = olds.map(comparison.signature);
  }

  run(): Map<T, T> {
    const pairs = inOrder(this.newSignatures, this.oldSignatures, this.work);
    const sure = this.sureOf(pairs);
    for (const [now, old] of sure) this.pair(now, old);
    if (sure.length < pairs.length) {
      this.alone(this.newSignatures, this.oldSignatures);
      this.movedAmongEqual([-1, 1]);
      for (const [now, old] of pairs) if (!this.partners.has(now) && !this.taken.has(old)) this.pair(now, old);
    }
    if (this.isOpen()) this.findRest(pairs.filter(([now, old]) => this.partners.get(now) === old));
    return new Map([...this.partners].map(([now, old]) => [this.news[now] as T, this.olds[old] as T]));
  }

  /**
   * Keeps the pairs that are certain: items that each list has once, and pairs that directly follow or precede such a
   * pair or an end of the lists. The other pairs are of repeated items. Their right partners may have moved together
   * with their neighbours.
   */
  private sureOf(pairs: Pair[]): Pair[] {
    const [onceNew, onceOld] = [onlyOnce(this.newSignatures), onlyOnce(this.oldSignatures)];
    const sure = pairs.map(([now, old], at) => {
      const signature = this.newSignatures[now] ?? '';
      const isEnd =
        (now === 0 && old === 0) ||
        (at === pairs.length - 1 && now === this.news.length - 1 && old === this.olds.length - 1);
      return isEnd || (onceNew.has(signature) && onceOld.has(signature));
    });
    const touch = (a: number, b: number): boolean => {
      const [[now, old], [nextNow, nextOld]] = [pairs[a] as Pair, pairs[b] as Pair];
      return now + 1 === nextNow && old + 1 === nextOld;
    };
    for (let at = 1; at < pairs.length; at++) if (sure[at - 1] && touch(at - 1, at)) sure[at] = true;
    for (let at = pairs.length - 2; at >= 0; at--) if (sure[at + 1] && touch(at, at + 1)) sure[at] = true;
    return pairs.filter((_, at) => sure[at]);
  }

  private findRest(anchors: Pair[]): void {
    this.alone(this.newSignatures, this.oldSignatures);
    for (const nameOf of this.comparison.names) this.alone(this.news.map(nameOf), this.olds.map(nameOf));
    for (const gap of this.gaps(anchors)) this.edited(gap, ALIKE);
    this.movedAmongEqual([-1, 1, 0]);
    this.edited(this.onlyHere(), ALIKE, (now, old) => this.cameAlone(now, old));
    for (const gap of this.gaps(growing([...this.partners].sort(([a], [b]) => a - b)))) this.rewritten(gap);
  }

  /** Matches items of one kind between the same neighbours, unless the old one is elsewhere or their numbers differ. */
  private rewritten(gap: Gap): void {
    const news = gap.news.filter((now) => !this.partners.has(now));
    const olds = gap.olds.filter((old) => !this.taken.has(old) && !this.comparison.isElsewhere(this.olds[old] as T));
    if (Math.max(news.length, olds.length) <= MOST_REWRITTEN * Math.min(news.length, olds.length))
      this.edited({ news, olds }, 0);
  }

  /** What stands in both lists between the same neighbours. */
  private gaps(pairs: Pair[]): Gap[] {
    const whole = { now: 0, nowEnd: this.news.length, old: 0, oldEnd: this.olds.length };
    return between(pairs, whole).map(({ now, nowEnd, old, oldEnd }) => ({
      news: range(now, nowEnd),
      olds: range(old, oldEnd),
    }));
  }

  /** Items that may have been edited and moved: only one list has them, and once. */
  private onlyHere(): Gap {
    const [news, olds] = [this.newSignatures, this.oldSignatures].map(onlyOnce) as [
      Map<string, number>,
      Map<string, number>,
    ];
    const [inNew, inOld] = [new Set(this.newSignatures), new Set(this.oldSignatures)];
    const alone = (own: Map<string, number>, other: Set<string>): number[] =>
      [...own].flatMap(([signature, at]) => (other.has(signature) ? [] : [at]));
    return { news: alone(news, inOld), olds: alone(olds, inNew) };
  }

  private isOpen(): boolean {
    return this.partners.size < Math.min(this.news.length, this.olds.length);
  }

  private pair(now: number, old: number): void {
    this.partners.set(now, old);
    this.taken.add(old);
  }

  /** Matches items that moved, by a mark (a signature or a name) that each list has exactly once. */
  private alone(news: ReadonlyArray<string | undefined>, olds: ReadonlyArray<string | undefined>): void {
    const once = onlyOnce(olds);
    for (const [mark, now] of onlyOnce(news)) {
      const old = once.get(mark);
      if (old !== undefined && !this.partners.has(now) && !this.taken.has(old)) this.pair(now, old);
    }
  }

  /**
   * Matches unchanged items that moved and of which there are several. The old item with the same neighbour is taken;
   * without one, the first, but only for a new item that did not come together with other new ones.
   */
  private movedAmongEqual(steps: readonly number[]): void {
    const free = new Map<string, number[]>();
    this.oldSignatures.forEach((signature, old) => {
      if (this.taken.has(old)) return;
      addTo(free, signature, old);
    });
    for (const by of steps) {
      this.newSignatures.forEach((signature, now) => {
        const candidates = this.partners.has(now) ? undefined : free.get(signature);
        const at =
          candidates
            ?.slice(0, MAX_EQUAL)
            .findIndex((old) => (by === 0 ? this.isAmongKnown(now) : this.partners.get(now + by) === old + by)) ?? -1;
        const [old] = at < 0 ? [] : (candidates?.splice(at, 1) ?? []);
        if (old !== undefined) this.pair(now, old);
      });
    }
  }

  /** True if both neighbours of the item were there before, so that it did not come together with new items. */
  private isAmongKnown(now: number): boolean {
    return [now - 1, now + 1].every((at) => at < 0 || at >= this.news.length || this.partners.has(at));
  }

  /** True if the item moved alone or with a neighbour. An item like it in a new section is a copy. */
  private cameAlone(now: number, old: number): boolean {
    return (
      this.comparison.separate === true ||
      this.isAmongKnown(now) ||
      [-1, 1].some((by) => this.partners.get(now + by) === old + by)
    );
  }

  /**
   * Matches items of one kind that share at least `least` of their words. The most similar pairs come first, then the
   * nearest.
   */
  private edited(gap: Gap, least: number, fits = (_now: number, _old: number): boolean => true): void {
    const news = gap.news.filter((now) => !this.partners.has(now));
    const olds = gap.olds.filter((old) => !this.taken.has(old));
    const cost = PAIR * news.length * olds.length;
    const near = news.length * olds.length > MAX_PAIRS || cost > this.work.pairs;
    if (!near) this.work.pairs -= cost;
    const pairs = news.flatMap((now, i) => {
      const from = near ? Math.max(i - NEIGHBOURS, 0) : 0;
      const candidates = near ? olds.slice(from, i + NEIGHBOURS + 1) : olds;
      return candidates.map((old, j) => ({ now, old, score: this.score(now, old), far: Math.abs(i - from - j) }));
    });
    pairs.sort((a, b) => b.score - a.score || a.far - b.far);
    for (const { now, old, score } of pairs)
      if (score >= least && !this.partners.has(now) && !this.taken.has(old) && fits(now, old)) this.pair(now, old);
  }

  /** How much of their words two items share, 0 to 1; -1 for items of different kinds. */
  private score(now: number, old: number): number {
    const [a, b] = [this.news[now] as T, this.olds[old] as T];
    if (!this.comparison.sameKind(a, b)) return -1;
    if (this.work.pairs <= 0) return 0;
    const [one, other] = [this.bag(a), this.bag(b)];
    this.work.pairs -= Math.min(one.counts.size, other.counts.size);
    return similarity(one, other);
  }

  private bag(item: T): Bag {
    let found = this.bags.get(item);
    if (!found) {
      found = this.comparison.words(item);
      this.work.pairs -= WORD * found.size;
      this.bags.set(item, found);
    }
    return found;
  }
}
