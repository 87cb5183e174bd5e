import type { ServiceContext } from '@scriptorium/platform';
import { allDeliveries, insertDeliveries, type AnyDelivery } from '../outbox/index.js';

/** Where a delivery stands among those of its receiver. */
export type Place = Pick<AnyDelivery, '_id' | 'position' | 'rank'>;

/** What is queued again: of a queue, because of the events at these positions, of these types. */
export interface Again {
  queue: string;
  positions: readonly number[];
  types: readonly string[];
  run: string;
  /** What stands behind this one. */
  after: Place | undefined;
  /** So much at once. */
  limit: number;
}

/**
 * Queues what was planned, and whatever else was delivered to the queue because of the same events, in their order: how
 * many, and the last one where there are more. What is marked with the run was queued by it before and stays as it is,
 * so that a repetition delivers nothing twice.
 */
export async function deliverAgain(
  context: Pick<ServiceContext, 'database' | 'now'>,
  planned: readonly AnyDelivery[],
  again: Again,
): Promise<{ count: number; more: Place | undefined }> {
  const now = context.now();
  const { after, limit, run } = again;
  const stored = await storedBehind(context, again);
  const known = new Set(stored.map(({ _id }) => _id));
  const others = planned.filter((one) => !known.has(one._id) && (after === undefined || inOrder(after, one) < 0));
  const newOnes = new Map(others.map((one) => [one._id, one]));
  const all: Place[] = [...stored, ...others].sort(inOrder);
  const page = all.slice(0, limit);
  // One by one: what is queued may be delivered before the next one is, and has to be the first of them then.
  for (const [n, { _id }] of page.entries()) {
    const [nextAt, one] = [now + n, newOnes.get(_id)];
    if (one !== undefined) await insertDeliveries(context, [{ ...one, replay: run, nextAt }]);
    const queued = { state: 'queued', reason: null, attempts: 0, nextAt, at: now, replay: run } as const;
    await allDeliveries(context).updateOne({ _id, replay: { $ne: run } }, { $set: queued });
  }
  return { count: page.length, more: all.length > limit ? page.at(-1) : undefined };
}

/** The next ones that are stored already, and one more. */
async function storedBehind(
  context: Pick<ServiceContext, 'database'>,
  { queue, positions, types, after, limit }: Again,
): Promise<Place[]> {
  const found: Place[] = [];
  for (const part of partsBehind(positions, after)) {
    if (found.length > limit) break;
    const next = await allDeliveries(context)
      .find({
        installation: queue,
        // As the index has it.
        state: { $in: ['queued', 'success', 'failed'] },
        ...part,
        type: { $in: types as AnyDelivery['type'][] },
      })
      .project<Place>({ position: 1, rank: 1 })
      .sort({ position: 1, rank: 1, _id: 1 })
      .limit(limit + 1 - found.length)
      .toArray();
    found.push(...next);
  }
  return found;
}

/** What stands behind a place, in parts that follow each other: each is read by the index from its beginning. */
function partsBehind(positions: readonly number[], after: Place | undefined) {
  if (after === undefined) return [{ position: { $in: [...positions] } }];
  const { position, rank, _id } = after;
  return [
    { position, rank, _id: { $gt: _id } },
    { position, rank: { $gt: rank } },
    { position: { $in: positions.filter((one) => one > position) } },
  ];
}

function inOrder(a: Place, b: Place): number {
  return a.position - b.position || a.rank - b.rank || (a._id < b._id ? -1 : a._id > b._id ? 1 : 0);
}
