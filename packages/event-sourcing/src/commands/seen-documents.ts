import { type Work } from './work.js';
import { matches, targetOf, withFields, type AnyProjection } from '../projections/projection.js';
import { type RawEvent } from '../events/events.js';
import { type Held, foldSegment, plan } from '../projections/held-documents.js';
import { positionFrom } from '../database/database.js';
import { type ReadModel, type Stored } from '../read-models/read-model.js';

/**
 * A read model as this work sees it, by id: with the events of its dry run, and as the stream was that it looks back
 * on.
 */
export function seenBy<D extends object>(work: Work, projection: AnyProjection, model: ReadModel<D>): ReadModel<D> {
  const byId = async (id: string): Promise<Stored<D> | null> =>
    pastDocument(work, projection, id, dryDocument(work, projection, id, await model.byId(id)));
  return { ...model, byId, byIds: async (ids) => present(await Promise.all([...new Set(ids)].map(byId))) };
}

function present<T>(found: readonly (T | null)[]): T[] {
  return found.filter((one) => one !== null);
}

/** A document as it would be, had the events of this dry run been recorded. */
function dryDocument<D extends object>(
  { dryEvents: events }: Work,
  projection: AnyProjection,
  id: string,
  stored: Stored<D> | null,
): Stored<D> | null {
  if (events.length === 0) return stored;
  const held = new Map<string, Held>();
  if (stored !== null) {
    const { _id, _at, ...doc } = stored as Stored<Record<string, unknown>>;
    held.set(_id, { doc, at: positionFrom(_at), stored: true, dirty: false });
  }
  fold(projection, id, held, events);
  return documentIn(held, id);
}

/**
 * A document as it was then, by the stream that this work looks back on; what comes from other streams is as it is now.
 */
async function pastDocument<D extends object>(
  { past }: Work,
  projection: AnyProjection,
  id: string,
  stored: Stored<D> | null,
): Promise<Stored<D> | null> {
  const { history } = projection;
  if (stored === null || past === undefined || history?.of !== past.entity) return stored;
  const held = new Map<string, Held>();
  for await (const events of past.events()) fold(projection, id, held, events);
  const then = documentIn<D>(held, id);
  if (then === null) return null;
  const { _at, ...present } = stored as Stored<Record<string, unknown>>;
  const others = (history.except ?? []).map((field) => [field, present[field]] as const);
  return { ...then, ...Object.fromEntries(others), _at };
}

/** Folds events into one document alone. */
function fold(projection: AnyProjection, id: string, held: Map<string, Held>, events: readonly RawEvent[]): void {
  for (const { steps, then } of plan(projection, events).segments) {
    foldSegment({ steps: steps.filter(({ write }) => targetOf(write) === id) }, held);
    const present = held.get(id);
    if (then === undefined || present?.doc === null || present === undefined) continue;
    const { write, position } = then;
    const where = 'setWhere' in write ? write.setWhere : write.removeWhere;
    if (matches(present.doc, where))
      held.set(id, {
        ...present,
        doc: 'setWhere' in write ? withFields(present.doc, write.fields) : null,
        at: position,
      });
  }
}

function documentIn<D extends object>(held: ReadonlyMap<string, Held>, id: string): Stored<D> | null {
  const outcome = held.get(id);
  return outcome?.doc === undefined || outcome.doc === null
    ? null
    : ({ _id: id, ...outcome.doc, _at: Number(outcome.at) } as Stored<D>);
}
