import type { SheetNode } from './sheet-nodes.js';

/** A word that is longer than this many characters may be broken after every `part` of them. */
export interface Breaking {
  longest: number;
  part: number;
}

export const inProse: Breaking = { longest: 50, part: 25 };
export const inCode: Breaking = { longest: 60, part: 20 };

/** Where a line may end within a word. It is no character of the text: whoever copies the text does not get it. */
export const mayBreak = '\u200b';

/**
 * A text as the layout takes it: well-formed, without characters that control something, and with places where lines
 * may end in words that are longer than a line.
 */
export function cleanText(text: string, { longest, part }: Breaking = inProse): string {
  const clean = text
    .toWellFormed()
    .replaceAll('\t', '    ')
    .replaceAll(/(?!\n)[\p{Cc}\u2028\u2029\ufffe\uffff]/gu, '');
  if (clean.length <= longest) return clean;
  return clean.replaceAll(/\S+/gu, (word) => (word.length <= longest ? word : broken(word, part)));
}

function broken(word: string, part: number): string {
  const characters = Array.from(word);
  const parts: string[] = [];
  for (let start = 0; start < characters.length; start += part)
    parts.push(characters.slice(start, start + part).join(''));
  return parts.join(mayBreak);
}

/** A text as nodes: its line breaks are breaks on the page. */
export function linesAsNodes(text: string, breaking?: Breaking): SheetNode[] {
  return text
    .split('\n')
    .flatMap((line, index): SheetNode[] => [
      ...(index === 0 ? [] : [{ t: 'br' }]),
      ...nonEmpty(cleanText(line, breaking)),
    ]);
}

function nonEmpty(text: string): string[] {
  return text === '' ? [] : [text];
}

const rightToLeft = /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}/u;

export type Direction = 'ltr' | 'rtl';

/** In which direction a text is read: that of its first letter; `undefined` for one without letters. */
export function directionIn(text: string): Direction | undefined {
  const first = /\p{L}/u.exec(text)?.[0];
  if (first === undefined) return undefined;
  return rightToLeft.test(first) ? 'rtl' : 'ltr';
}

const rightToLeftLanguages = /^(ar|dv|fa|he|ps|sd|ug|ur|yi)(-|$)/i;

/** In which direction a language is read, by its name in BCP 47. */
export function directionOfLanguage(language: string): Direction {
  return rightToLeftLanguages.test(language) ? 'rtl' : 'ltr';
}

/** The address of a link that a PDF may have; `undefined` for what it must not lead to. */
export function safeAddress(url: string): string | undefined {
  const clean = url.toWellFormed().trim();
  return /^(https?:|mailto:|tel:)/i.test(clean) && clean.length <= 4_096 && URL.canParse(clean) ? clean : undefined;
}
