/** What a method takes: a callback, or this many arguments at least and at most. */
export interface Signature {
  readonly callback: boolean;
  readonly min: number;
  readonly max: number;
}

const args = (min: number, max: number): Signature => ({ callback: false, min, max });
const callback: Signature = { callback: true, min: 1, max: 1 };

/** Every method that may be called, whatever its receiver; there is no other way to call anything. */
export const SIGNATURES: ReadonlyMap<string, Signature> = new Map([
  ['at', args(1, 1)],
  ['includes', args(1, 2)],
  ['startsWith', args(1, 2)],
  ['endsWith', args(1, 2)],
  ['toLowerCase', args(0, 0)],
  ['toUpperCase', args(0, 0)],
  ['trim', args(0, 0)],
  ['join', args(0, 1)],
  ['some', callback],
  ['every', callback],
  ['map', callback],
  ['filter', callback],
  ['find', callback],
]);
