import { francAll } from 'franc-min';
import { cut } from './normalise.js';
import { listedLanguages, stopWordsOf } from './stop-words.js';
import { wordsOf } from './words-of.js';

/** ISO 639-1 codes of what `franc-min` tells in ISO 639-3. Others are told apart too badly in short texts. */
const codes: ReadonlyMap<string, string> = new Map([
  ['arb', 'ar'],
  ['bul', 'bg'],
  ['ces', 'cs'],
  ['deu', 'de'],
  ['ell', 'el'],
  ['eng', 'en'],
  ['fra', 'fr'],
  ['hin', 'hi'],
  ['hun', 'hu'],
  ['ind', 'id'],
  ['ita', 'it'],
  ['nld', 'nl'],
  ['pol', 'pl'],
  ['por', 'pt'],
  ['ron', 'ro'],
  ['rus', 'ru'],
  ['spa', 'es'],
  ['swe', 'sv'],
  ['tur', 'tr'],
  ['ukr', 'uk'],
  ['vie', 'vi'],
]);

/** Scripts that are written by one language, or by one far more than by others. */
const scripts: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['lo', /\p{Script=Lao}/gu],
  ['km', /\p{Script=Khmer}/gu],
  ['my', /\p{Script=Myanmar}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['ta', /\p{Script=Tamil}/gu],
  ['te', /\p{Script=Telugu}/gu],
  ['bn', /\p{Script=Bengali}/gu],
  ['ka', /\p{Script=Georgian}/gu],
  ['hy', /\p{Script=Armenian}/gu],
];

/** Letters that one language of a script has and its neighbours have not. */
const letters: readonly (readonly [string, RegExp])[] = [
  ['ru', /[ыэё]/iu],
  ['uk', /[іїєґ]/iu],
];

/** As much of a text as is looked at. */
const looked = 2_000;
/** Shorter texts say too little, unless their script does. */
const leastLetters = 30;
/** What a language must have more than the one that is expected, as a share of the best score there can be. */
const margin = 0.25;

/**
 * The language of a text as ISO 639-1, or `otherwise` for short texts and where none is clearly more likely. Its
 * script comes first, then how its letters follow each other and how many of its words are stop words of a language.
 */
export function languageOf(text: string, otherwise: string): string {
  const sample = cut(text, looked);
  const length = sample.match(/\p{L}/gu)?.length ?? 0;
  if (length === 0) return otherwise;
  for (const [language, pattern] of scripts) {
    const own = sample.match(pattern)?.length ?? 0;
    // A Japanese text has kana between its Han characters, seldom more of the former.
    if (own >= length * (language === 'ja' ? 0.15 : 0.5)) return language;
  }
  if (length < leastLetters) return otherwise;
  return mostLikely(sample, otherwise);
}

function mostLikely(sample: string, otherwise: string): string {
  const words = wordsOf(sample, 'en').map(({ text }) => text);
  const scores = new Map<string, number>();
  for (const [code, score] of francAll(sample, { only: [...codes.keys()], minLength: 1 })) {
    const language = codes.get(code);
    if (language !== undefined) scores.set(language, score);
  }
  for (const language of listedLanguages) {
    const stops = stopWordsOf(language);
    const share = words.filter((word) => stops.has(word)).length / Math.max(words.length, 1);
    scores.set(language, (scores.get(language) ?? 0) + 2 * share);
  }
  for (const [language, pattern] of letters)
    if (pattern.test(sample)) scores.set(language, (scores.get(language) ?? 0) + 2 * margin);
  let best = otherwise;
  let most = (scores.get(otherwise) ?? 0) + margin;
  for (const [language, score] of scores) if (score > most) [best, most] = [language, score];
  return best;
}
