import { createRandom } from '../crash/random.js';

export interface LabelledText {
  text: string;
  subject: string;
}

const field = /(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r?\n|$)/gy;

/** The rows of a CSV file of texts and what they are about, without its head. */
export function readLabelled(csv: string): LabelledText[] {
  const rows: string[][] = [[]];
  for (const { 1: quoted, 2: plain = '', 3: end } of csv.matchAll(field)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end !== ',') rows.push([]);
  }
  return rows.slice(1).flatMap(([text, subject]) => (text && subject ? [{ text: text.trim(), subject }] : []));
}

/** All of them in an order that a seed decides. */
export function shuffled<T>(all: readonly T[], seed: number): T[] {
  const random = createRandom(seed);
  return all
    .map((value) => ({ value, key: random.next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);
}
