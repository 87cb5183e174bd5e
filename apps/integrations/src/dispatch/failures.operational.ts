import type { ServiceContext } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

type Within = Pick<ServiceContext, 'database'>;

interface HealthDocument {
  /** The installation, or the queue of a webhook. */
  _id: string;
  /** Deliveries that have failed one after the other. */
  failures: number;
  /** Of a webhook: when the first one failed, ms. */
  since?: number;
}

function health({ database }: Within): Collection<HealthDocument> {
  return database.collection<HealthDocument>('op_dispatch');
}

/** Counts a delivery that has failed; how many did in a row. */
export async function countFailure(scope: Within, installation: string): Promise<number> {
  const found = await health(scope).findOneAndUpdate(
    { _id: installation },
    { $inc: { failures: 1 } },
    { upsert: true, returnDocument: 'after' },
  );
  return found?.failures ?? 0;
}

/** Since when what is sent to a webhook fails, ms: since now (`now`), unless it did before. */
export async function failingSince(scope: Within, queue: string, now: number): Promise<number> {
  const found = await health(scope).findOneAndUpdate(
    { _id: queue },
    { $inc: { failures: 1 }, $min: { since: now } },
    { upsert: true, returnDocument: 'after' },
  );
  return found?.since ?? now;
}

/** What is counted of an installation is forgotten. */
export async function forgetFailures(scope: Within, installation: string): Promise<void> {
  await health(scope).deleteOne({ _id: installation });
}
