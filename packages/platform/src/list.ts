import type { ReadModel, Stored } from '@scriptorium/event-sourcing';
import type { Filter } from 'mongodb';
import type { CursorBinding, CursorKeys, Cursors } from './cursors.js';

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
  /** How many match, where a read model keeps count of it. */
  total?: number | undefined;
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
  const last = request.page === undefined ? undefined : cursors.decode(binding, request.page);
  const after = last === undefined ? undefined : keyset(sort, binding.order, last);
  const direction = binding.order === 'asc' ? 1 : -1;
  const [found, count] = await Promise.all([
    request.limit === 0
      ? []
      : model
          .find((after === undefined ? filter : { $and: [filter, after] }) as Filter<Stored<D>>)
          .sort({ [sort]: direction, _id: direction })
          .limit(request.limit + 1)
          .toArray(),
    query.total ?? last?.[2] ?? countOf(model, filter),
  ]);
  const items = found.slice(0, request.limit);
  const end = items.at(-1);
  if (end === undefined || found.length <= request.limit) return { items, count };
  const keys = [end[sort] as string, end._id] as const;
  const dear = query.total === undefined && count > countedAnew;
  return { items, count, next: { page: cursors.encode(binding, dear ? [...keys, count] : keys) } };
}

/** Up to so many matches every page counts anew (ruling 16); beyond, the first does, and its cursors carry the number on. */
const countedAnew = 10_000;

async function countOf<D extends object>(model: ListQuery<D>['model'], filter: Filter<Stored<D>>): Promise<number> {
  const count = await model.count(filter, countedAnew + 1);
  return count <= countedAnew ? count : model.count(filter);
}

function keyset(sort: string, order: 'asc' | 'desc', [key, id]: CursorKeys): object {
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
