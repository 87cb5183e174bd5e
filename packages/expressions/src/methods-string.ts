import { spendCharacters, toText } from './convert.js';
import { type Range } from './error.js';
import { COST } from './limits.js';
import { toInteger } from './methods-array.js';
import { type Runtime, spend } from './runtime.js';
import { type Value } from './value.js';

type StringMethod = (runtime: Runtime, text: string, args: readonly Value[], where: Range) => Value;

const clamp = (position: number, length: number): number => Math.min(Math.max(position, 0), length);

const transform =
  (apply: (text: string) => string): StringMethod =>
  (runtime, text, _args, where) => {
    spendCharacters(runtime, text.length, where);
    return apply(text);
  };

const includes: StringMethod = (runtime, text, [wanted, from], where) => {
  const part = toText(runtime, wanted, where);
  spendCharacters(runtime, text.length, where);
  // The engine's search is linear on ordinary text only; hostile text can make it compare almost every pair.
  spend(runtime, Math.floor((text.length * part.length) / COST.comparisonsPerStep), where);
  return text.includes(part, clamp(toInteger(runtime, from, where), text.length));
};

const startsWith: StringMethod = (runtime, text, [wanted, from], where) => {
  const part = toText(runtime, wanted, where);
  spendCharacters(runtime, part.length, where);
  return text.startsWith(part, clamp(toInteger(runtime, from, where), text.length));
};

const endsWith: StringMethod = (runtime, text, [wanted, until], where) => {
  const part = toText(runtime, wanted, where);
  spendCharacters(runtime, part.length, where);
  const end = until === undefined ? text.length : clamp(toInteger(runtime, until, where), text.length);
  return text.endsWith(part, end);
};

/** Text methods by name; positions count UTF-16 code units. */
export const STRING_METHODS: ReadonlyMap<string, StringMethod> = new Map<string, StringMethod>([
  ['at', (runtime, text, [position], where) => text.at(toInteger(runtime, position, where))],
  ['includes', includes],
  ['startsWith', startsWith],
  ['endsWith', endsWith],
  ['toLowerCase', transform((text) => text.toLowerCase())],
  ['toUpperCase', transform((text) => text.toUpperCase())],
  ['trim', transform((text) => text.trim())],
]);
