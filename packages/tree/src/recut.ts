import { type Cut, cutsOf, REACH } from './cut/cuts.js';
import { childOf, firstKey, type Item, makePart } from './make.js';
import { type Child, type NewPart } from './part.js';
import { ANY_MARGIN, type Slot, type Stretch } from './stretches.js';

/** A stretch after its changes: all its parts in order, and those among them that are new. */
export interface Recut {
  readonly children: readonly Child[];
  readonly parts: readonly NewPart[];
}

/** Cuts a stretch of a level anew. Parts that stay as they are keep their names without being made again. */
export function recut(stretch: Stretch, level: number): Recut {
  const items = stretch.slots.flatMap((slot) => slot.items);
  const cuts = cutsWithin(stretch, items);
  const slotAt = new Map(startsOf(stretch.slots).map(({ at, slot }) => [at, slot]));
  const oldNames = new Set(stretch.slots.map(({ span }) => span.name));
  const parts: NewPart[] = [];
  const children = cuts.map((cut, index) => {
    const end = cuts[index + 1]?.at ?? items.length;
    const first = firstKey(items, cut, stretch.before === undefined);
    const slot = slotAt.get(cut.at);
    if (slot !== undefined && !slot.changed && slot.items.length === end - cut.at)
      return childOf(first, slot.span.name, slot.span.count, cut.anchor);
    const { child, part } = makePart(items.slice(cut.at, end), level, first, cut.anchor);
    if (!oldNames.has(part.name)) parts.push(part);
    return child;
  });
  return { children, parts };
}

/** Where the parts of a stretch begin now. */
function cutsWithin(stretch: Stretch, items: readonly Item[]): Cut[] {
  const before = startsOf(stretch.slots).map(({ at, slot }) => ({ at, anchor: slot.span.anchor }));
  if (!stretch.rekeyed) return before;
  // A stretch may begin or end amid pieces, whose cuts follow from items beyond it. There are unchanged items enough
  // then: near such an end the cuts are as they were, and everything else is out of reach of what is beyond.
  const from = stretch.before !== undefined && stretch.sameLeft >= ANY_MARGIN ? REACH : 0;
  const to = items.length - (stretch.after !== undefined && stretch.sameRight >= ANY_MARGIN ? REACH : 0);
  return [
    ...before.filter(({ at }) => at < from),
    ...cutsOf(items.map(([key]) => key)).filter(({ at }) => at >= from && at < to),
    ...before.filter(({ at }) => at >= to && at < items.length),
  ];
}

/**
 * Where each slot begins among the items of all; of slots without items the last one counts, which leaves none of them.
 */
function startsOf(slots: readonly Slot[]): { at: number; slot: Slot }[] {
  let at = 0;
  return slots.map((slot) => {
    const start = { at, slot };
    at += slot.items.length;
    return start;
  });
}
