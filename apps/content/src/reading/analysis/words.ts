/** A word of a text, and where it stands. */
export interface Word {
  /** In lower case, with its marks. */
  text: string;
  start: number;
  end: number;
  /** Whether it is one character of a script without blanks between words, which may be the beginning of one. */
  isCharacter: boolean;
}

/** Scripts whose words follow each other without blanks, or with endings that are written as one with them. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー';
const pattern = /[\p{L}\p{N}\p{M}]+/gu;
const hasUnspaced = new RegExp(`[${unspaced}]`, 'u');
/** Parts of a run of letters: those that are written without blanks, and the others. */
const parts = new RegExp(`[${unspaced}]+|[^${unspaced}]+`, 'gu');

/** Longer ones are no words that somebody types; they are cut. */
const longestWord = 64;

/**
 * The words of a text. What is written without blanks is told as each two characters that follow each other, and the
 * last character alone, so that a search for any part of it finds it.
 */
export function* wordsOf(text: string): Generator<Word, void> {
  for (const { 0: found, index: start } of text.matchAll(pattern)) {
    if (isPlain(found) || !hasUnspaced.test(found)) yield wordOf(found, start);
    else
      for (const { 0: part, index } of found.matchAll(parts))
        if (hasUnspaced.test(part)) yield* pairsOf(part, start + index);
        else yield wordOf(part, start + index);
  }
}

function wordOf(found: string, start: number): Word {
  return { text: plain(found).slice(0, longestWord), start, end: start + found.length, isCharacter: false };
}

function* pairsOf(found: string, start: number): Generator<Word, void> {
  const characters = [...plain(found)];
  let at = start;
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1] ?? '';
    yield {
      text: character + next,
      start: Math.min(at, start + found.length),
      end: Math.min(at + character.length + next.length, start + found.length),
      isCharacter: next === '',
    };
    at += character.length;
  }
}

/** One form for what is written in several. Some characters stand for whole phrases, with blanks. */
function plain(found: string): string {
  if (isPlain(found)) return found.toLowerCase();
  return found.normalize('NFKC').toLowerCase().replace(/\s/gu, '');
}

/** A word without the marks of Latin and Greek letters, as it is compared. */
export function folded(word: string): string {
  if (isPlain(word)) return word;
  return word
    .normalize('NFD')
    .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}]\p{M}*)\p{M}/gu, '')
    .normalize('NFC')
    .replaceAll('ß', 'ss');
}

function isPlain(word: string): boolean {
  return /^[A-Za-z0-9]*$/.test(word);
}
