import { el, type HtmlNode } from '../rich-text/html.js';

/** Words of a query that are looked at. */
const mostWords = 20;
/** Words that are as long may differ by a letter, as in the search of the API. */
const fuzzyLength = 5;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** The words of a query, as they are compared. */
export function wordsOf(query: string): string[] {
  return [...query.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].slice(0, mostWords).map(([word]) => folded(word));
}

/** A text in which the words of a search are marked: those that begin like them, or differ by a letter. */
export function markedText(text: string, words: readonly string[]): HtmlNode[] {
  const nodes: HtmlNode[] = [];
  let shown = 0;
  const add = (from: number, to: number): void => {
    if (from > shown) nodes.push({ type: 'text', value: text.slice(shown, from) });
    nodes.push(el('mark', {}, text.slice(from, to)));
    shown = to;
  };
  for (const { 0: token, index } of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const found = unspaced.test(token)
      ? partsIn(token, words)
      : isMeant(folded(token), words)
        ? [[0, token.length]]
        : [];
    for (const [from = 0, to = 0] of found) if (index + from >= shown) add(index + from, index + to);
  }
  if (shown < text.length) nodes.push({ type: 'text', value: text.slice(shown) });
  return nodes;
}

function folded(word: string): string {
  return word.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().normalize('NFC');
}

function isMeant(token: string, words: readonly string[]): boolean {
  return words.some((word) => token.startsWith(word) || (word.length >= fuzzyLength && isNear(token, word)));
}

/** The places of words, and of two letters of them that follow each other, in a text without spaces between words. */
function partsIn(token: string, words: readonly string[]): number[][] {
  const text = token.toLowerCase();
  const pairs = words.filter((word) => unspaced.test(word) && word.length > 2);
  const wanted = [...words, ...pairs.flatMap((word) => [...word].slice(1).map((_, at) => word.slice(at, at + 2)))];
  const isMarked = new Array<boolean>(text.length).fill(false);
  for (const word of new Set(wanted))
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
      isMarked.fill(true, at, at + word.length);
  const parts: number[][] = [];
  isMarked.forEach((marked, at) => {
    if (marked && isMarked[at - 1] !== true) parts.push([at, at + 1]);
    else if (marked) parts.at(-1)?.splice(1, 1, at + 1);
  });
  return parts;
}

/** Whether two words differ by one letter that is another, too much, missing, or in the place of its neighbour. */
function isNear(token: string, word: string): boolean {
  if (Math.abs(token.length - word.length) > 1) return false;
  let same = 0;
  while (same < token.length && token[same] === word[same]) same += 1;
  const rest = (text: string, skipped: number): string => text.slice(same + skipped);
  const swapped = token[same] === word[same + 1] && token[same + 1] === word[same] && rest(token, 2) === rest(word, 2);
  return (
    swapped || rest(token, 1) === rest(word, 1) || rest(token, 1) === rest(word, 0) || rest(token, 0) === rest(word, 1)
  );
}
