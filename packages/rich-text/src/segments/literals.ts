/**
 * What stands in prose and is never translated: line ends, addresses, e-mail addresses, and placeholders of templates.
 * Every repetition is bounded or begins at a fixed word, so that the search stays linear.
 */
const LITERAL =
  /\n+|\b(?:https?|ftp|mailto|file|ssh|git):[^\s<>]*[^\s<>.,;:!?'"()[\]{}]|\bwww\.[^\s<>]*[^\s<>.,;:!?'"()[\]{}]|[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}|\{\{[^{}]{0,200}\}\}|\$\{[^{}]{0,200}\}|%(?:\d{1,2}\$)?[sd@](?![\p{L}\p{N}])/giu;

export type ProsePart = { text: string; literal: boolean };

/** A text cut into prose and what is never translated. Joined, the parts are the text. */
export function proseParts(text: string): ProsePart[] {
  const parts: ProsePart[] = [];
  let at = 0;
  for (const found of text.matchAll(LITERAL)) {
    if (found.index > at) parts.push({ text: text.slice(at, found.index), literal: false });
    parts.push({ text: found[0], literal: true });
    at = found.index + found[0].length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), literal: false });
  return parts;
}

/** The addresses and placeholders of a text, sorted. */
export const literalsIn = (text: string): string[] =>
  proseParts(text)
    .filter((part) => part.literal && part.text.trim() !== '')
    .map((part) => part.text)
    .sort();
