import { cut, normalised } from './normalise.js';

/** A word of a text. */
export interface Word {
  /** In lower case, in one form for what can be written in several. */
  text: string;
  /** As it stands in the text. */
  written: string;
  start: number;
  end: number;
}

/** Longer ones are no words that somebody types. They are cut. */
const longestWord = 48;
/** A text has at most as many words that count. */
const mostWords = 2_000;
/** Longer runs of digits are numbers of orders, cards and phones. They say nothing about the subject. */
const longestNumber = 4;

const segmenters = new Map<string, Intl.Segmenter>();
/** Languages whose words follow each other without blanks have rules of their own for where words end. */
const withOwnRules: ReadonlySet<string> = new Set(['ja', 'km', 'lo', 'my', 'th', 'zh']);

function segmenterOf(language: string): Intl.Segmenter {
  const key = withOwnRules.has(language) ? language : 'en';
  const known = segmenters.get(key);
  if (known !== undefined) return known;
  const made = new Intl.Segmenter(key, { granularity: 'word' });
  segmenters.set(key, made);
  return made;
}

/** The words of a text in order, in any script. Reads at most 64 Ki characters and gives at most 2,000 words. */
export function wordsOf(text: string, language: string): Word[] {
  const words: Word[] = [];
  for (const { segment, index, isWordLike } of segmenterOf(language).segment(cut(text, 65_536))) {
    if (isWordLike !== true || isLongNumber(segment)) continue;
    const plain = cut(normalised(segment), longestWord);
    words.push({ text: plain, written: segment, start: index, end: index + segment.length });
    if (words.length === mostWords) break;
  }
  return words;
}

function isLongNumber(segment: string): boolean {
  return segment.length > longestNumber && /^[\p{N}.,]+$/u.test(segment);
}
