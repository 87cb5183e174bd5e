import { LCS } from 'node-diff3';
import { append } from '../model/append.js';
import { growing } from './order.js';
import { afford, sharedEnds, type Work } from './work.js';

/** The places of one item in a new and in an old list. */
export type Pair = [now: number, old: number];
type Range = { now: number; nowEnd: number; old: number; oldEnd: number };

/** The items of a list that it holds once, with their places; places without one do not count. */
export function onlyOnce(list: ReadonlyArray<string | undefined>): Map<string, number> {
  const once = new Map<string, number>();
  const more = new Set<string>();
  list.forEach((item, at) => {
    if (item === undefined) return;
    if (once.has(item)) more.add(item);
    else once.set(item, at);
  });
  for (const item of more) once.delete(item);
  return once;
}

/**
 * Pairs of equal items in the order of both lists. Items that each list has once are paired first. Repeated items are
 * then paired between these only, so that lines of one section are not matched with those of the next.
 */
export function inOrder(news: readonly string[], olds: readonly string[], work: Work): Pair[] {
  const out: Pair[] = [];
  const todo: Range[] = [{ now: 0, nowEnd: news.length, old: 0, oldEnd: olds.length }];
  for (let range = todo.pop(); range; range = todo.pop()) {
    const { now, nowEnd, old, oldEnd } = range;
    if (now === nowEnd || old === oldEnd) continue;
    const [a, b] = [news.slice(now, nowEnd), olds.slice(old, oldEnd)];
    const unique = uniqueInOrder(a, b, work);
    const pairs = (unique.length > 0 ? unique : longestCommon(a, b, work)).map(([i, j]): Pair => [now + i, old + j]);
    append(out, pairs);
    if (unique.length > 0) append(todo, between(pairs, range));
  }
  return out.sort(([a], [b]) => a - b);
}

/** The ranges before, between and behind pairs in order. */
export function between(pairs: readonly Pair[], { now, nowEnd, old, oldEnd }: Range): Range[] {
  const starts: Pair[] = [[now, old], ...pairs.map(([i, j]): Pair => [i + 1, j + 1])];
  const ends: Pair[] = [...pairs, [nowEnd, oldEnd]];
  return starts.map(([nowStart, oldStart], i) => ({
    now: nowStart,
    nowEnd: ends[i]?.[0] ?? nowEnd,
    old: oldStart,
    oldEnd: ends[i]?.[1] ?? oldEnd,
  }));
}

function uniqueInOrder(news: string[], olds: string[], work: Work): Pair[] {
  const cost = news.length + olds.length;
  if (cost > work.pairs) return [];
  work.pairs -= cost;
  const once = onlyOnce(olds);
  return growing(
    [...onlyOnce(news)].flatMap(([item, now]): Pair[] => {
      const old = once.get(item);
      return old === undefined ? [] : [[now, old]];
    }),
  );
}

function longestCommon(news: string[], olds: string[], work: Work): Pair[] {
  const { start, end } = sharedEnds(news, olds);
  const pairs: Pair[] = [];
  for (let i = 0; i < start; i++) pairs.push([i, i]);
  for (let i = 1; i <= end; i++) pairs.push([news.length - i, olds.length - i]);
  const [a, b] = [news.slice(start, news.length - end), olds.slice(start, olds.length - end)];
  if (!afford(work, a, b)) return pairs;
  for (let at = LCS(a, b); at.chain; at = at.chain) pairs.push([start + at.buffer1index, start + at.buffer2index]);
  return pairs;
}
