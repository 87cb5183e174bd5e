import { containsTerm, termsOfParts, type GlossaryTerm } from './glossary.js';
import { literalsIn } from './literals.js';
import { numbersIn } from './numbers.js';
import { isDense, isInScript } from './scripts.js';
import { taggedParts, wordsOf, type TaggedPart } from './tagged-text.js';

/** Why a translation of a segment cannot be used. */
export type SegmentProblem =
  'markup' | 'tags' | 'empty' | 'characters' | 'literals' | 'numbers' | 'length' | 'script' | 'refusal' | 'glossary';

/** The languages of a text and its translation, and the terms that bind it. */
export type CheckOptions = {
  from: string;
  to: string;
  terms?: readonly GlossaryTerm[];
  /** `false` for a translation that is no other language: a copy, or one that only looks like one. Default: true. */
  isLanguage?: boolean;
  /** The most characters that fit in its place. Default: as many as are about as long. */
  most?: number | undefined;
};

/** Shorter texts are names as often as words: nothing is said about their length and script. */
const SHORT = 24;
/** Ends of lines, control characters, halves of characters, and what turns the direction of others. */
const UNWANTED = /[\p{Cc}\p{Cs}\u2028\u2029\u202d\u202e]/gu;
const REFUSALS =
  /\b(?:as an ai\b|i(?:'|’)m sorry, (?:but )?i|i (?:cannot|can(?:'|’)t|am unable to) (?:translate|help|assist|comply|fulfill)|here(?: is|'s|’s) the translation)/iu;

/**
 * Whether a text is by far too long for a translation of a segment. It is asked first, so that what a provider sends is
 * read only in this length.
 */
export const isOverlong = (source: string, target: string): boolean => target.length > 16 * source.length + 1_000;

/**
 * What is wrong with a translation of a segment; empty when it can take its place. Its tags have to be those of the
 * segment, once each and inside the same tags, with words where the segment has some; numbers, addresses and
 * placeholders have to be the same, and terms present. Line ends and control characters are only those of the segment.
 */
export function checkSegment(source: string, target: string, options: CheckOptions): SegmentProblem[] {
  if (isOverlong(source, target)) return ['length'];
  const [from, to] = [taggedParts(source), taggedParts(target)];
  if (from === undefined || to === undefined) return ['markup'];
  if (tagsOf(from) !== tagsOf(to)) return ['tags'];
  const [said, says] = [wordsOf(from), wordsOf(to)];
  if (!hasWordsIn(to)) return ['empty'];
  const problems: SegmentProblem[] = [];
  if (says.match(UNWANTED)?.some((character) => !said.includes(character))) problems.push('characters');
  if (says.length > (options.most ?? Infinity)) problems.push('length');
  if (literalsIn(said).join('\n') !== literalsIn(says).join('\n')) problems.push('literals');
  if (numbersIn(said).join(' ') !== numbersIn(says).join(' ')) problems.push('numbers');
  if (options.isLanguage === false) return problems;
  problems.push(...proseProblems(said, says, options));
  const bound = termsOfParts(from, options.terms ?? [], options.from);
  if (bound.some((term) => !containsTerm(says, term.target ?? term.source, options.to))) problems.push('glossary');
  return [...new Set(problems)];
}

function proseProblems(said: string, says: string, { from, to }: CheckOptions): SegmentProblem[] {
  const problems: SegmentProblem[] = [];
  if (!hasFittingLength(said.length, says.length, { from, to })) problems.push('length');
  if (says.length > SHORT && !isInScript(said, says, to)) problems.push('script');
  if (REFUSALS.test(says) && !REFUSALS.test(said)) problems.push('refusal');
  return problems;
}

function hasFittingLength(said: number, says: number, { from, to }: Pick<CheckOptions, 'from' | 'to'>): boolean {
  const most = isDense(from) && !isDense(to) ? 8 : 4;
  const least = isDense(to) && !isDense(from) ? 0.1 : 0.3;
  return says <= said * most + SHORT && (said <= SHORT || says >= said * least);
}

/** True for parts with more than void tags and spaces. */
const hasWordsIn = (parts: readonly TaggedPart[]): boolean => wordsOf(parts).replaceAll('\ufffc', '').trim() !== '';

/** The tags of a text with what stands around each and whether words are in it, in the order of their ids. */
function tagsOf(parts: readonly TaggedPart[]): string {
  const found: string[] = [];
  const visit = (inside: readonly TaggedPart[], around: number): void => {
    for (const part of inside) {
      if (part.kind === 'text') continue;
      const hasWords = part.kind === 'pair' && hasWordsIn(part.parts);
      found.push(`${part.id} ${part.kind} ${around} ${hasWords}`);
      if (part.kind === 'pair') visit(part.parts, part.id);
    }
  };
  visit(parts, 0);
  return found.sort().join('\n');
}
