import type { EmbedLookup, Embeds, Operation } from '@scriptorium/contracts';
import { once } from '../once.js';
import { createComposedCache } from './answer-cache.js';
import type { LookUp, LookupContext } from './lookup.js';
import { compilePlan, fieldPlan, type EmbedPlan } from './plan.js';
import { findSlots, type Slot } from './slots.js';

/**
 * Returns a reply body in which references are replaced by their resources. `tag`: the entity tag of the reply, if it
 * has one.
 */
export type Compose = (body: Uint8Array, context: LookupContext, tag?: string) => Promise<Uint8Array>;

/**
 * The composition of an operation's response; undefined if it embeds nothing. @throws if it embeds a kind without a
 * lookup
 */
export type ComposerOf = (op: Operation) => Compose | undefined;

/**
 * Prepares compositions: embedded resources are replaced two levels deep, with one batch of lookups for each level and
 * kind.
 */
export function createComposers(table: Embeds, lookUp: LookUp): ComposerOf {
  const kinds = new Set(Object.keys(table));
  const cache = createComposedCache(lookUp);
  const planOfKind = new Map(Object.entries(table).map(([kind, op]) => [kind, once(() => itemPlan(op, kinds))]));
  return (op) => {
    if (op.response === undefined) return undefined;
    const plan = compilePlan(op.response, kinds);
    if (!plan.useful) return undefined;
    return (body, context, tag) =>
      cache({ tag, operation: op.id }, body, context, (find) => composeOne(body, context, { plan, planOfKind, find }));
  };
}

interface Composing {
  plan: EmbedPlan;
  planOfKind: ReadonlyMap<string, () => EmbedPlan | undefined>;
  find: LookUp;
}

async function composeOne(
  body: Uint8Array,
  context: LookupContext,
  { plan, planOfKind, find }: Composing,
): Promise<Uint8Array> {
  const answer = { value: JSON.parse(new TextDecoder().decode(body)) as unknown };
  const inner: Slot[] = [];
  const replaceAnswer = (resource: object): void => void (answer.value = resource);
  await fill(findSlots(answer.value, plan, replaceAnswer), find, context, (kind, resource) => {
    const nested = planOfKind.get(kind)?.();
    if (nested?.useful !== true) return resource;
    // A copy: the cached resource, which other answers have, must keep its references.
    const copy = structuredClone(resource);
    inner.push(...findSlots(copy, nested, ignore));
    return copy;
  });
  await fill(inner, find, context, (_kind, resource) => resource);
  return Buffer.from(JSON.stringify(answer.value));
}

/** A looked-up resource is never a reference itself. */
const ignore = (): void => undefined;

async function fill(
  slots: readonly Slot[],
  lookUp: LookUp,
  context: LookupContext,
  prepare: (kind: string, resource: object) => object,
): Promise<void> {
  const byKind = new Map<string, Slot[]>();
  for (const slot of slots) {
    const same = byKind.get(slot.kind);
    if (same === undefined) byKind.set(slot.kind, [slot]);
    else same.push(slot);
  }
  await Promise.all(
    [...byKind].map(async ([kind, wanted]) => {
      const found = await lookUp(kind, new Set(wanted.map((slot) => slot.id)), context);
      // Prepared once for all places of the answer that have it.
      const prepared = new Map([...found].map(([id, resource]) => [id, prepare(kind, resource)]));
      for (const slot of wanted) {
        const resource = prepared.get(slot.id);
        if (resource !== undefined) slot.put(resource);
      }
    }),
  );
}

/** Plan of the resources that a lookup answers. */
function itemPlan(op: EmbedLookup, kinds: ReadonlySet<string>): EmbedPlan | undefined {
  return fieldPlan(compilePlan(op.response, kinds), 'items')?.items;
}
