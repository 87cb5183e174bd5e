import { LCS } from 'node-diff3';
import { APART, canonical } from '../model/canonical.js';
import { type Inline, type Mark } from '../model/types.js';
import { afford, sharedEnds, type Work } from './work.js';

/** A word with its marks, or an inline. */
export type Token = { text: string; marks: Mark[] } | { node: Inline };

const textOf = (token: Token): string => ('node' in token ? `\u0000${canonical(token.node, APART)}` : token.text);
const marksOf = (token: Token | undefined): Mark[] => (token && 'marks' in token ? token.marks : []);
const same = (a: Mark[], b: Mark[]): boolean => canonical(a) === canonical(b);
const isSpace = (token: Token): boolean => 'text' in token && token.text.trim() === '';

/**
 * Joins the words of the side that changed words with the marks of the side that changed only marks. Null if the other
 * side changed words as well, or if both gave different marks to the same word.
 */
export function withMarks(
  base: readonly Token[],
  marked: readonly Token[],
  worded: readonly Token[],
  work: Work,
): Token[] | null {
  if (marked.length !== base.length || !base.every((token, at) => textOf(token) === textOf(marked[at] as Token)))
    return null;
  const partners = partnersOf(worded.map(textOf), base.map(textOf), work);
  if (!partners) return null;
  const gaps = new Gaps(base, marked, partners);
  const out: Token[] = [];
  for (const [at, token] of worded.entries()) {
    const partner = partners[at];
    if ('node' in token) out.push(token);
    else {
      const marks =
        partner === undefined
          ? gaps.marksAt(at, token.marks)
          : agreed(marksOf(base[partner]), marksOf(marked[partner]), token.marks);
      if (!marks) return null;
      out.push({ ...token, marks });
    }
  }
  return out;
}

function agreed(was: Mark[], mine: Mark[], other: Mark[]): Mark[] | null {
  if (same(mine, other) || same(was, other)) return mine;
  return same(was, mine) ? other : null;
}

/** For each word the index of the base word that it was, or undefined for a new word. */
function partnersOf(words: string[], base: string[], work: Work): Array<number | undefined> | null {
  const { start, end } = sharedEnds(words, base);
  const [a, b] = [words.slice(start, words.length - end), base.slice(start, base.length - end)];
  if (!afford(work, a, b)) return null;
  const partners: Array<number | undefined> = words.map((_, at) =>
    at < start ? at : at >= words.length - end ? at - words.length + base.length : undefined,
  );
  for (let pair = LCS(a, b); pair.chain; pair = pair.chain)
    partners[start + pair.buffer1index] = start + pair.buffer2index;
  return partners;
}

/** The gaps between the words that stayed, which hold the new words. */
class Gaps {
  /**
   * `behind`: for each word the index of the last base word before it that stayed. `markCache`: for such an index the
   * marks that all replaced words had and now have, which the new words take over.
   */
  private readonly behind: number[] = [];
  private readonly markCache = new Map<number, { was: Mark[]; is: Mark[] } | null>();
  private readonly ends = new Map<number, number>();

  constructor(
    private readonly base: readonly Token[],
    private readonly marked: readonly Token[],
    partners: ReadonlyArray<number | undefined>,
  ) {
    let before = -1;
    for (const partner of partners) {
      if (partner !== undefined) {
        this.ends.set(before, partner);
        before = partner;
      }
      this.behind.push(before);
    }
  }

  /**
   * The marks of the words that a new word replaced, or of both its neighbours if it replaced none, provided that all
   * of these are equal.
   */
  marksAt(at: number, own: Mark[]): Mark[] {
    const before = this.behind[at] ?? -1;
    let found = this.markCache.get(before);
    if (found === undefined) this.markCache.set(before, (found = this.kindBehind(before)));
    return found && same(found.was, own) ? found.is : own;
  }

  private kindBehind(before: number): { was: Mark[]; is: Mark[] } | null {
    const after = this.ends.get(before) ?? this.base.length;
    const between: number[] = [];
    for (let at = before + 1; at < after; at++) if (!isSpace(this.base[at] as Token)) between.push(at);
    const models = between.length > 0 ? between : [before, after];
    const [was, is] = [this.base, this.marked].map((tokens) => marksOf(tokens[models[0] ?? -1])) as [Mark[], Mark[]];
    return models.every((at) => same(marksOf(this.base[at]), was) && same(marksOf(this.marked[at]), is))
      ? { was, is }
      : null;
  }
}
