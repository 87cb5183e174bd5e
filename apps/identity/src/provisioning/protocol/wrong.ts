import type { Fields } from './resource.js';

/** What is wrong with fields of a body, in words, by their paths. */
export type Wrong = Map<string, string>;

/** What a request asks for. It is refused unless `wrong` is empty, together with what is wrong besides. */
export interface Asked {
  fields: Fields;
  wrong: Wrong;
}

/** Fields that a refusal names. */
const mostNamed = 20;

/** Notes what is wrong with a field. Of a body with many such fields, those that no refusal names are not kept. */
export function noteWrong(wrong: Wrong, path: string, words: string): void {
  if (wrong.size <= mostNamed && !wrong.has(path)) wrong.set(path, words);
}

/** Names the fields with what is wrong, so many of them. */
export function wordsOf(wrong: Wrong): string {
  const all = [...wrong].map(([path, words]) => `${path} ${words}`);
  return [...all.slice(0, mostNamed), ...(all.length > mostNamed ? ['and more'] : [])].join('; ');
}
