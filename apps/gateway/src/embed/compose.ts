import type { EmbedLookup, Operation } from '@scriptorium/contracts';
import type { LookUp, LookupContext } from './lookup.js';
import { compilePlan, fieldPlan, type EmbedPlan } from './plan.js';
import { findSlots, type Slot } from './slots.js';

/** Returns a reply body in which references are replaced by their resources. */
export type Compose = (body: Uint8Array, context: LookupContext) => Promise<Uint8Array>;

/** Gives the composition of an operation's response, or undefined where it embeds nothing. */
export type ComposerOf = (op: Operation) => Compose | undefined;

/**
 * Prepares compositions: embedded resources at most 2 deep, found by one batch of lookups per depth and kind. A kind that
 * the table does not know stops the start.
 */
export function createComposers(table: Readonly<Record<string, EmbedLookup>>, lookUp: LookUp): ComposerOf {
  const kinds = new Set(Object.keys(table));
  const planOfKind = new Map(Object.entries(table).map(([kind, op]) => [kind, itemPlan(op, kinds)]));
  return (op) => {
    if (op.response === undefined) return undefined;
    const plan = compilePlan(op.response, kinds);
    if (!plan.useful) return undefined;
    return async (body, context) => {
      const value = JSON.parse(new TextDecoder().decode(body)) as unknown;
      const inner: Slot[] = [];
      await fill(findSlots(value, plan), lookUp, context, (kind, resource) => {
        const nested = planOfKind.get(kind);
        if (nested?.useful !== true) return resource;
        // A copy: the resource may stand elsewhere too, and its own references be left alone there.
        const copy = structuredClone(resource);
        inner.push(...findSlots(copy, nested));
        return copy;
      });
      await fill(inner, lookUp, context, (_kind, resource) => resource);
      return Buffer.from(JSON.stringify(value));
    };
  };
}

async function fill(slots: readonly Slot[], lookUp: LookUp, context: LookupContext, prepare: (kind: string, resource: object) => object): Promise<void> {
  const byKind = new Map<string, Slot[]>();
  for (const slot of slots) {
    const same = byKind.get(slot.kind);
    if (same === undefined) byKind.set(slot.kind, [slot]);
    else same.push(slot);
  }
  await Promise.all(
    [...byKind].map(async ([kind, wanted]) => {
      const found = await lookUp(kind, new Set(wanted.map((slot) => slot.id)), context);
      for (const slot of wanted) {
        const resource = found.get(slot.id);
        if (resource !== undefined) slot.put(prepare(kind, resource));
      }
    }),
  );
}

/** Plan of the resources that a lookup answers. */
function itemPlan(op: EmbedLookup, kinds: ReadonlySet<string>): EmbedPlan | undefined {
  return fieldPlan(compilePlan(op.response, kinds), 'items')?.items;
}
