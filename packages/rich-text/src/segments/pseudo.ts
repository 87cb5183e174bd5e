import { mapWords, taggedParts, taggedText, wordsOf } from './tagged-text.js';

const FROM = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const TO = [...'åƀçðéƒĝĥîĵķļɱñôþɋŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÔÞɊŔŠŢÛṼŴẊÝŽ'];
const OTHER = new Map([...FROM].map((letter, i) => [letter, TO[i] ?? letter]));
const DOT_BELOW = '\u0323';

/**
 * A tagged text in which every letter is another one that reads alike, about a third longer and between brackets: it
 * shows what is not translated and what has no room. Tags stay. What is no tagged text stays as it is.
 */
export function pseudoTranslated(text: string): string {
  const parts = taggedParts(text);
  if (parts === undefined) return text;
  const letters = (wordsOf(parts).match(/\p{L}/gu) ?? []).length;
  return `[${taggedText(mapWords(parts, pseudoWords))} ${'·'.repeat(Math.max(1, Math.ceil(letters * 0.3)))}]`;
}

function pseudoWords(text: string): string {
  return text.replace(/\p{L}\p{M}*/gu, (letter) => {
    const [base = '', ...marks] = letter.normalize('NFD');
    const other = OTHER.get(base);
    return other !== undefined && other !== letter.normalize('NFC')
      ? other
      : `${base}${marks.join('')}${DOT_BELOW}`.normalize('NFC');
  });
}
