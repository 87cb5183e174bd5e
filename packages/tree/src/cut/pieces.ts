// Cuts a sequence of different keys into pieces, so that each cut follows from a few keys around it and every piece has
// a least and a greatest size, whatever the keys are. This is deterministic coin tossing (Cole and Vishkin 1986;
// Mehlhorn, Sundar and Uhrig 1997 for sequences): neighbours are told apart by the first bit in which they differ,
// which leaves few labels after few rounds; where labels are few, each second to fourth item is a local maximum.

const { clz32, floor } = Math;

/** Each round makes groups of 2 to 4 (to 6 at the ends) of the groups before it: 8 to 64 items, 106 at the ends. */
const ROUNDS = 3;
/** From labels of 31 bits to the six labels 0 to 5. */
const SHRINKS = 4;
const FEWEST = 2;

/** Where pieces begin, without 0. Keys must differ from their neighbours. */
export function pieceStarts(keys: readonly string[]): number[] {
  let starts = keys.map((_, at) => at);
  for (let round = 0; round < ROUNDS; round++) {
    const groups = groupStarts(starts.map((at) => keys[at] ?? ''));
    starts = [0, ...groups.map((group) => starts[group] ?? 0)];
  }
  return starts.slice(1);
}

/** Where groups of one round begin, without 0: at the local maxima of three colours. */
export function groupStarts(keys: readonly string[]): number[] {
  const colours = threeColours(keys);
  const starts: number[] = [];
  for (let at = FEWEST; at <= keys.length - FEWEST; at++) {
    const own = colours[at] ?? 0;
    if (own > (colours[at - 1] ?? 0) && own > (colours[at + 1] ?? 0)) starts.push(at);
  }
  return starts;
}

/** Numbers 0 to 2, different for neighbours. */
function threeColours(keys: readonly string[]): number[] {
  let labels = keys.map((key, at) => label(differingBit(keys[at - 1] ?? '', key, at), key));
  for (let round = 0; round < SHRINKS; round++) {
    labels = labels.map((own, at) => {
      const bit = at === 0 ? 0 : lowestBit(own ^ (labels[at - 1] ?? 0));
      return 2 * bit + ((own >>> bit) & 1);
    });
  }
  for (const colour of [5, 4, 3]) {
    labels = labels.map((own, at) => (own === colour ? freeColour(labels[at - 1], labels[at + 1]) : own));
  }
  return labels;
}

const lowestBit = (bits: number): number => 31 - clz32(bits & -bits);

const freeColour = (left: number | undefined, right: number | undefined): number =>
  [0, 1, 2].find((colour) => colour !== left && colour !== right) ?? 0;

/** A code unit takes 17 bits, so that the end of a key differs from every code unit. */
const UNIT_BITS = 17;

const unitAt = (key: string, index: number): number => (index < key.length ? key.charCodeAt(index) + 1 : 0);

/** The first bit in which a key differs from the one before it; 0 for the first key. */
function differingBit(previous: string, key: string, at: number): number {
  if (at === 0) return 0;
  let index = 0;
  while (index < key.length && previous.charCodeAt(index) === key.charCodeAt(index)) index++;
  return index * UNIT_BITS + lowestBit(unitAt(previous, index) ^ unitAt(key, index));
}

const label = (bit: number, key: string): number =>
  2 * bit + ((unitAt(key, floor(bit / UNIT_BITS)) >>> (bit % UNIT_BITS)) & 1);
