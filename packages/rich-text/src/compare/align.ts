import { addTo } from '../model/append.js';
import { type Bag, similarity } from './alike.js';
import { between, inOrder, onlyOnce, type Pair } from './in-order.js';
import { growing } from './order.js';
import { type Work } from './work.js';

/** Items at least this alike are the same item, edited, wherever they stand. */
const ALIKE = 0.5;
/** Pairs compared by words at once; beyond it only neighbours are. */
const MAX_PAIRS = 10_000;
const NEIGHBOURS = 3;
/** What a pair that is looked at, and a word that is read, cost beside a pair of equal words. */
const PAIR = 20;
const WORD = 4;
/** Equal items of which one is looked for by its neighbours. */
const MAX_EQUAL = 100;
/** How many times as many items there may be as there were, or were as there are, to be the same ones rewritten. */
const MOST_REWRITTEN = 2;

/** How the items of two lists are compared. */
export type Comparison<T> = {
  /** Equal for items that are the same, unchanged. */
  signature: (item: T) => string;
  /** The words by which edited items are found. */
  words: (item: T) => Bag;
  /** True for items of which one can be the other, edited. */
  sameKind: (a: T, b: T) => boolean;
  /**
   * What an item says first by itself, and what it is called, if anything: items that alone say so in both lists are
   * the same.
   */
  names: ReadonlyArray<(item: T) => string | undefined>;
  /**
   * True for an old item that stands elsewhere in the document now, so that it is not taken for what came into its
   * place.
   */
  isElsewhere: (old: T) => boolean;
  /** The items are each something by itself, such as rows: what stands beside one says nothing of it. */
  separate?: boolean;
};

/**
 * The old item for each new one that is still the same: unchanged ones (in order, then moved), edited ones by their
 * words (between the same neighbours, then anywhere), and whatever of one kind stands between the same neighbours.
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
   * Pairs of what stands once in each list, and what follows or precedes them, or the ends, without a gap. Of others,
   * which are repeated, the right ones may have moved with what stands beside them.
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

  /**
   * Whatever of one kind stands between the same neighbours, if it does not stand elsewhere. Of very many, one that is
   * left may be none of them.
   */
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

  /**
   * What may have been edited and moved as well: items that one of the lists alone has, and once. What is repeated may
   * be anybody's.
   */
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

  /** Items that moved, of which there is but one in each list: unchanged, or of that name. */
  private alone(news: ReadonlyArray<string | undefined>, olds: ReadonlyArray<string | undefined>): void {
    const once = onlyOnce(olds);
    for (const [mark, now] of onlyOnce(news)) {
      const old = once.get(mark);
      if (old !== undefined && !this.partners.has(now) && !this.taken.has(old)) this.pair(now, old);
    }
  }

  /**
   * Unchanged items that moved, of several that are equal: the one behind or before the same item, otherwise the first,
   * but not for what came with others.
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

  /** True for an item between two that were there before, which so did not come with what is new. */
  private isAmongKnown(now: number): boolean {
    return [now - 1, now + 1].every((at) => at < 0 || at >= this.news.length || this.partners.has(at));
  }

  /**
   * True for an item that moved by itself, or beside what stood beside it: what is like it in a section that is new was
   * made after it.
   */
  private cameAlone(now: number, old: number): boolean {
    return (
      this.comparison.separate === true ||
      this.isAmongKnown(now) ||
      [-1, 1].some((by) => this.partners.get(now + by) === old + by)
    );
  }

  /** Items of one kind that share at least `least` of their words, the most alike first, then the nearest. */
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
