import { findPage, keyset, type ListQuery, type Page, type Scope } from '@scriptorium/platform';
import type { ReadModel, Stored } from '@scriptorium/event-sourcing';

/** Bytes of the items of one page, about. */
const pageBytes = 1024 * 1024;
/** Up to this number of items fit a page, whatever they are. */
const alwaysFit = 3;

/** A list of a read model, of whose documents single fields can be read. */
interface StoredList<D extends object> extends ListQuery<D> {
  model: Pick<ReadModel<D>, 'find' | 'count'>;
}

/** One page of a list. A page ends before its limit if its items together would be larger than about 1 MiB. */
export async function findFittingPage<D extends { answerBytes: number }>(
  { cursors }: Pick<Scope, 'cursors'>,
  list: StoredList<D>,
): Promise<Page<Stored<D>>> {
  const { model, filter, sort, binding, request } = list;
  if (request.limit <= alwaysFit) return findPage(cursors, list);
  const after = request.page === undefined ? undefined : cursors.decode({ ...binding, sort }, request.page);
  const direction = binding.order === 'asc' ? 1 : -1;
  const sizes = model
    .find(after === undefined ? filter : { $and: [filter, keyset(sort, binding.order, after)] })
    .project<{ answerBytes: number }>({ answerBytes: 1 })
    .sort({ [sort]: direction, _id: direction })
    .limit(request.limit);
  let [limit, bytes] = [0, 0];
  for await (const { answerBytes } of sizes) {
    bytes += answerBytes;
    if (limit >= alwaysFit && bytes > pageBytes) break;
    limit += 1;
  }
  return findPage(cursors, { ...list, request: { ...request, limit: Math.max(limit, 1) } });
}
