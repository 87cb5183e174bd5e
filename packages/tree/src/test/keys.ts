import { pieceStarts } from '../cut/pieces.js';
import { priorityOf } from '../cut/cuts.js';

const padded = (index: number): string => index.toString().padStart(6, '0');

/** Keys as ids make them: in no order of their own. */
export const plainKeys = (size: number): string[] =>
  Array.from({ length: size }, (_, index) => `page/${((index * 2_654_435_761) % 4_294_967_296).toString(36)}`).sort();

/** Keys that share all but their end. */
export const longPrefixKeys = (size: number): string[] =>
  Array.from({ length: size }, (_, index) => `${'child/of/the/same/parent/'.repeat(12)}${padded(index)}`);

/** Keys of one letter, each longer than the one before. */
export const growingKeys = (size: number): string[] =>
  Array.from({ length: size }, (_, index) => 'a'.repeat(index + 1));

/**
 * Keys made to have no anchor among them: their priorities only rise, or only fall. Anybody who may name things can
 * find such names.
 */
export function monotonousKeys(size: number, direction: 'rising' | 'falling'): string[] {
  const width = 2 ** 32 / size;
  const { floor } = Math;
  return Array.from({ length: size }, (_, index) => {
    const rank = direction === 'rising' ? index : size - 1 - index;
    for (let attempt = 0; ; attempt++) {
      const key = `slug/${padded(index)}${attempt.toString(36)}`;
      if (floor(priorityOf(key) / width) === rank) return key;
    }
  });
}

/**
 * Keys without an anchor among them, but with anchors among those that pieces begin with: at the level above, parts
 * then begin at anchors.
 */
export function unevenKeys(size: number): string[] {
  const half = 2 ** 31;
  const { floor } = Math;
  // Where pieces begin follows from the numbers alone, because in them neighbours differ first.
  const starts = new Set(pieceStarts(Array.from({ length: size }, (_, index) => `slug/${padded(index)}`)));
  return Array.from({ length: size }, (_, index) => {
    for (let attempt = 0; ; attempt++) {
      const key = `slug/${padded(index)}${attempt.toString(36)}`;
      const priority = priorityOf(key);
      if (starts.has(index) ? priority >= half : floor((priority / half) * size) === index) return key;
    }
  });
}

/** Keys made to have as many anchors as there can be: the lowest priority at each 17th key. */
export function crowdedKeys(size: number): string[] {
  const low = 2 ** 32 / 16;
  return Array.from({ length: size }, (_, index) => {
    for (let attempt = 0; ; attempt++) {
      const key = `slug/${padded(index)}${attempt.toString(36)}`;
      if (priorityOf(key) < low === (index % 17 === 0)) return key;
    }
  });
}

/** What JSON, JavaScript objects and encodings may trip over. */
export const ODD_KEYS = [
  '',
  '\0',
  ' ',
  '"',
  '\\',
  '0',
  '1',
  '10',
  '2',
  '__proto__',
  'constructor',
  'toString',
  'é',
  'e\u0301',
  'ß',
  '日本',
  '\u2028',
  '\ud800',
  '\udc00',
  '\ud83d\ude00',
  '\uffff',
  '\uffff\uffff',
  '\ufffd',
];
