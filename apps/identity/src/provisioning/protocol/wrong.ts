import { AppError } from '@scriptorium/contracts';
import { scimTypeOf, type SCIMType } from './refusal.js';
import type { Fields } from './resource.js';

/** What is wrong with a body, in words, by the paths of its fields. */
export type Wrong = Map<string, Fault>;
interface Fault {
  words: string;
  type: SCIMType;
}

/** What a request asks for. It is refused unless `wrong` is empty, together with what is wrong besides. */
export interface Asked {
  fields: Fields;
  wrong: Wrong;
}

/** Fields that a refusal names. */
const mostNamed = 20;

/** Notes what is wrong with a field. Of a body with many such fields, those that no refusal names are not kept. */
export function noteWrong(wrong: Wrong, path: string, words: string, type: SCIMType = 'invalidValue'): void {
  note(wrong, path, { words: `${path} ${words}`, type });
}

/** Does what may be refused, and notes why, so that everything else is told, too. @throws AppError `tooMany` */
export function notingRefusal(wrong: Wrong, path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    const type = error instanceof AppError ? scimTypeOf(error) : undefined;
    if (!(error instanceof AppError) || type === undefined || type === 'tooMany') throw error;
    note(wrong, path, { words: error.message, type });
  }
}

function note(wrong: Wrong, path: string, fault: Fault): void {
  if (wrong.size <= mostNamed && !wrong.has(path)) wrong.set(path, fault);
}

/** Says everything that is wrong, up to so many fields. */
export function wordsOf(wrong: Wrong): string {
  const all = [...wrong.values()].map(({ words }) => words);
  return [...all.slice(0, mostNamed), ...(all.length > mostNamed ? ['and more'] : [])].join('; ');
}
