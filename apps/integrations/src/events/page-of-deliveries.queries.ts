import { keyset, pageBy, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import type { Collection, Filter, WithId } from 'mongodb';
import type { AnyDelivery } from '../outbox/index.js';

interface Listing<D> {
  filter: Filter<D>;
  sort: 'createdAt' | 'position';
  operation: string;
  /** What the filter was made of: a cursor belongs to it. */
  of: Readonly<Record<string, unknown>>;
  request: PageRequest;
}

/** One page of deliveries, the latest first. @throws AppError `invalid_request` for a cursor of another list */
export function pageOfDeliveries<D extends AnyDelivery>(
  { cursors }: Pick<Scope, 'cursors'>,
  collection: Collection<D>,
  { filter, sort, operation, of, request }: Listing<D>,
): Promise<Page<WithId<D>>> {
  return pageBy<WithId<D>>(cursors, {
    binding: { operation, scope: of, sort, order: 'desc' },
    request,
    fetch: (most, after) =>
      collection
        .find(after === undefined ? filter : { $and: [filter, keyset(sort, 'desc', after)] })
        .sort({ [sort]: -1, _id: -1 })
        .limit(most)
        .toArray(),
    count: () => collection.countDocuments(filter),
    keysOf: (one) => [one[sort], one._id],
  });
}
