import { LRUCache } from 'lru-cache';
import type { ScriptAnswer } from './script-answer.process.js';

const mostBytes = 64 * 1024 * 1024;
const longestSeconds = 7 * 24 * 3_600;

/** For whom an answer may be shown again, and for how long. */
export interface Reuse {
  /** Only for the caller who got it. */
  isPrivate: boolean;
  forMs: number;
}

export type AnswerCache<T extends object> = LRUCache<string, T>;

/**
 * Answers of scripts that may be given again, up to 64 MiB: an entry has its `size` in bytes and its `ttl` in ms. What
 * was not used for the longest time leaves first. `now`: ms.
 */
export function createAnswerCache<T extends object>(now: () => number): AnswerCache<T> {
  return new LRUCache({ maxSize: mostBytes, maxEntrySize: mostBytes / 4, perf: { now }, ttlResolution: 0 });
}

/** What the headers of an answer allow; `undefined`: it is not given again. Pure. */
export function reuseOf({ headers }: Pick<ScriptAnswer, 'headers'>): Reuse | undefined {
  const values = (name: string) => headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);
  if (values('set-cookie').length > 0 || values('vary').length > 0) return undefined;
  const directives = values('cache-control').flatMap((value) => value.toLowerCase().split(/[\s,]+/));
  const has = (name: string) => directives.some((one) => one === name || one.startsWith(`${name}=`));
  if (has('no-store') || has('no-cache')) return undefined;
  const isPrivate = has('private');
  const seconds = (isPrivate ? undefined : secondsIn(directives, 's-maxage')) ?? secondsIn(directives, 'max-age') ?? 0;
  return seconds > 0 ? { isPrivate, forMs: Math.min(seconds, longestSeconds) * 1_000 } : undefined;
}

function secondsIn(directives: readonly string[], name: string): number | undefined {
  const digits = directives.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);
  return digits !== undefined && /^\d{1,9}$/.test(digits) ? Number(digits) : undefined;
}
