import type { ServiceContext } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

type Within = Pick<ServiceContext, 'database'>;

interface HealthDocument {
  /** The installation. */
  _id: string;
  /** Deliveries that have failed one after the other. */
  failures: number;
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

/** What is counted of an installation is forgotten. */
export async function forgetFailures(scope: Within, installation: string): Promise<void> {
  await health(scope).deleteOne({ _id: installation });
}
