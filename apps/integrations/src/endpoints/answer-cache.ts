import type { ScriptAnswer } from '../scripts/index.js';
import type { HeaderPairs } from './answer-headers.js';

interface Kept {
  answer: ScriptAnswer;
  /** ms */
  until: number;
  bytes: number;
}

const mostBytes = 64 * 1024 * 1024;
const mostSeconds = 7 * 24 * 3_600;
const overhead = 1_024;

/** Keeps what scripts allow everybody to keep, the latest used, up to 64 MiB. */
export class AnswerCache {
  readonly #now: () => number;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  get(key: string): ScriptAnswer | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#drop(key, kept);
    if (kept.until <= this.#now()) return undefined;
    this.#put(key, kept);
    return kept.answer;
  }

  /** Keeps an answer if it says that it may be kept. */
  keep(key: string, answer: ScriptAnswer): void {
    const seconds = answer.status === 200 ? keptSeconds(answer.headers) : 0;
    const bytes = answer.body.length + key.length + overhead;
    if (seconds === 0 || bytes > mostBytes / 4) return;
    const old = this.#kept.get(key);
    if (old !== undefined) this.#drop(key, old);
    this.#put(key, { answer, until: this.#now() + seconds * 1000, bytes });
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes <= mostBytes) return;
      this.#drop(oldest, kept);
    }
  }

  #put(key: string, kept: Kept): void {
    this.#kept.set(key, kept);
    this.#bytes += kept.bytes;
  }

  #drop(key: string, { bytes }: Kept): void {
    this.#kept.delete(key);
    this.#bytes -= bytes;
  }
}

/** For how long everybody may be given the same answer; 0 if not. Pure. */
export function keptSeconds(headers: HeaderPairs): number {
  const values = (name: string) => headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);
  if (values('set-cookie').length > 0 || values('vary').length > 0) return 0;
  const control = values('cache-control').join(',').toLowerCase();
  if (/(^|[\s,])(no-store|no-cache|private)($|[\s,=])/.test(control)) return 0;
  const shared = /(?:^|[\s,])s-maxage=(\d{1,9})/.exec(control) ?? /(?:^|[\s,])max-age=(\d{1,9})/.exec(control);
  return Math.min(Number(shared?.[1] ?? 0), mostSeconds);
}
