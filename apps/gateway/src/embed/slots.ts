import type { EmbedPlan } from './plan.js';

/** A place in an answer that has a reference. */
export interface Slot {
  kind: string;
  id: string;
  put(resource: object): void;
}

/** Values nested deeper than this are left unchanged; no response is. */
const maxDepth = 200;

/** Finds the references `{ object, id }` in a value, at the places of the plan. `putRoot` replaces the value itself. */
export function findSlots(value: unknown, plan: EmbedPlan, putRoot: Put): Slot[] {
  const slots: Slot[] = [];
  search(value, plan, putRoot, slots, 0);
  return slots;
}

type Put = (resource: object) => void;

function search(value: unknown, plan: EmbedPlan, put: Put, slots: Slot[], depth: number): void {
  if (!plan.useful || typeof value !== 'object' || value === null || depth > maxDepth) return;
  if (plan.kind !== undefined) {
    const id = referredId(value, plan.kind);
    if (id !== null) {
      slots.push({ kind: plan.kind, id, put });
      return;
    }
  }
  if (Array.isArray(value)) searchItems(value, plan, slots, depth);
  else searchFields(value as Record<string, unknown>, plan, slots, depth);
  for (const branch of plan.branches) search(value, branch, put, slots, depth + 1);
}

function searchItems(array: unknown[], { items }: EmbedPlan, slots: Slot[], depth: number): void {
  if (items?.useful !== true) return;
  array.forEach((item, index) => {
    search(item, items, (resource) => (array[index] = resource), slots, depth + 1);
  });
}

function searchFields(object: Record<string, unknown>, plan: EmbedPlan, slots: Slot[], depth: number): void {
  const { fields, values } = plan;
  const searchKey = (key: string, inner: EmbedPlan): void => {
    search(object[key], inner, (resource) => (object[key] = resource), slots, depth + 1);
  };
  for (const [key, inner] of fields) if (Object.hasOwn(object, key)) searchKey(key, inner);
  if (values?.useful !== true) return;
  for (const key of Object.keys(object)) if (!fields.has(key)) searchKey(key, values);
}

/** The id of a reference of the kind; null for anything else, also for the resource itself. */
function referredId(value: object, kind: string): string | null {
  const { object, id } = value as { object?: unknown; id?: unknown };
  return object === kind && typeof id === 'string' && Object.keys(value).length === 2 ? id : null;
}
