import type { ReadModel, Stored } from '@scriptorium/event-sourcing';
import type { Filter } from 'mongodb';
import type { CursorBinding, CursorKeys, Cursors } from './cursors.js';

export interface PageRequest {
  page?: string | undefined;
  limit: number;
}

export interface Page<T> {
  items: T[];
  /** The number of all matches. */
  count: number;
  next?: { page: string };
}

/** What a list needs of a read model. */
interface ListedModel<D extends object> extends Pick<ReadModel<D>, 'count'> {
  find(filter: Filter<Stored<D>>): {
    sort(by: Record<string, 1 | -1>): { limit(most: number): { toArray(): Promise<Stored<D>[]> } };
  };
}

/** A list over one collection, ordered by one stored field and the id. */
export interface ListQuery<D extends object> {
  model: ListedModel<D>;
  filter: Filter<Stored<D>>;
  /** The number of matches, if a read model stores it. */
  total?: number | undefined;
  /** The name of the stored field. Every document must have it. */
  sort: keyof D & string;
  binding: Omit<CursorBinding, 'sort'>;
  request: PageRequest;
}

/** A list that is sorted by one value and an id, from any source. */
export interface KeysetList<T> {
  binding: CursorBinding;
  request: PageRequest;
  /** Returns at most `limit` items after `after`, in order. */
  fetch(limit: number, after: CursorKeys | undefined): Promise<readonly T[]> | readonly T[];
  count(): Promise<number> | number;
  /** Whether counting is always cheap. Then every page counts, and no cursor carries the number. */
  isCounted?: boolean;
  keysOf(item: T): CursorKeys;
}

/**
 * One page of a list. It begins behind the sort key of the last item, so deletions between pages never skip an item.
 * `limit` 0 gives the count alone.
 * @throws AppError `invalid_request` for a cursor of another list.
 */
export async function pageBy<T>(cursors: Cursors, list: KeysetList<T>): Promise<Page<T>> {
  const { binding, request, isCounted = false } = list;
  const after = request.page === undefined ? undefined : cursors.decode(binding, request.page);
  const [found, count] = await Promise.all([
    request.limit === 0 ? [] : list.fetch(request.limit + 1, after),
    (isCounted ? undefined : after?.[2]) ?? list.count(),
  ]);
  const items = found.slice(0, request.limit);
  const last = items.at(-1);
  if (last === undefined || found.length <= request.limit) return { items, count };
  const [key, id] = list.keysOf(last);
  return {
    items,
    count,
    next: { page: cursors.encode(binding, count > countedAnew && !isCounted ? [key, id, count] : [key, id]) },
  };
}

/** `pageBy` over one collection. */
export function findPage<D extends object>(
  cursors: Cursors,
  { model, filter, total, sort, binding, request }: ListQuery<D>,
): Promise<Page<Stored<D>>> {
  const direction = binding.order === 'asc' ? 1 : -1;
  return pageBy<Stored<D>>(cursors, {
    binding: { ...binding, sort },
    request,
    fetch: (limit, after) =>
      model
        .find(after === undefined ? filter : { $and: [filter, keyset(sort, binding.order, after)] })
        .sort({ [sort]: direction, _id: direction })
        .limit(limit)
        .toArray(),
    count: () => total ?? countUpTo(model, filter),
    isCounted: total !== undefined,
    keysOf: (doc) => [doc[sort] as string, doc._id],
  });
}

/**
 * Up to this number of matches every page counts them. Beyond it only the first page counts, and the cursors carry the
 * number.
 */
const countedAnew = 10_000;

/** The number of matches. Up to the limit for counting on every page it is found with an index. */
export async function countUpTo<D extends object>(
  model: Pick<ListQuery<D>['model'], 'count'>,
  filter: Filter<Stored<D>>,
): Promise<number> {
  const count = await model.count(filter, countedAnew + 1);
  return count <= countedAnew ? count : model.count(filter);
}

/** The condition of everything behind a cursor, in the order of a stored field and the id. */
export function keyset(sort: string, order: 'asc' | 'desc', [key, id]: CursorKeys): object {
  const beyond = order === 'asc' ? '$gt' : '$lt';
  return { $or: [{ [sort]: { [beyond]: key } }, { [sort]: key, _id: { [beyond]: id } }] };
}

/** Documents by their id. */
export function keyed<D extends { _id: string }>(docs: readonly D[]): Map<string, D> {
  return new Map(docs.map((doc) => [doc._id, doc]));
}

/** A regular expression that finds `text` anywhere, every character taken literally. */
export function containing(text: string): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
}
