import type { ReadModel, Stored } from '@scriptorium/event-sourcing';
import type { Filter } from 'mongodb';
import type { CursorBinding, Cursors } from './cursors.js';

export interface PageRequest {
  page?: string | undefined;
  limit: number;
}

export interface Page<T> {
  items: T[];
  /** All matches, whatever the page. */
  count: number;
  next?: { page: string };
}

/** A list over one collection, ordered by one stored field and the id. */
export interface ListQuery<D extends object> {
  model: Pick<ReadModel<D>, 'find' | 'count'>;
  filter: Filter<Stored<D>>;
  /** Name of the stored field; every document has it. */
  sort: keyof D & string;
  binding: Omit<CursorBinding, 'sort'>;
  request: PageRequest;
}

/**
 * One page by keyset (decisions 1.1): deletions between pages never skip an item. `limit` 0 gives the count alone.
 * @throws AppError `invalid_request` for a cursor of another list.
 */
export async function findPage<D extends object>(cursors: Cursors, query: ListQuery<D>): Promise<Page<Stored<D>>> {
  const { model, filter, sort, request } = query;
  const binding = { ...query.binding, sort };
  const after = request.page === undefined ? undefined : keyset(sort, binding.order, cursors.decode(binding, request.page));
  const direction = binding.order === 'asc' ? 1 : -1;
  const [found, count] = await Promise.all([
    request.limit === 0
      ? []
      : model
          .find((after === undefined ? filter : { $and: [filter, after] }) as Filter<Stored<D>>)
          .sort({ [sort]: direction, _id: direction })
          .limit(request.limit + 1)
          .toArray(),
    model.count(filter),
  ]);
  const items = found.slice(0, request.limit);
  const last = items.at(-1);
  if (last === undefined || found.length <= request.limit) return { items, count };
  return { items, count, next: { page: cursors.encode(binding, [last[sort] as string, last._id]) } };
}

function keyset(sort: string, order: 'asc' | 'desc', [key, id]: readonly [unknown, string]): object {
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
