import { type Collection, type Document, type Filter, type WithId } from 'mongodb';

/** A part of a list that is sorted by one field and the id. */
export interface Slice<K extends string | number> {
  readonly limit: number;
  /** Sort value and id of the last item before it. */
  readonly after?: readonly [key: K, id: string] | undefined;
}

/**
 * The documents of a slice in ascending order, of those that `filter` (without `$or`) lets through. Every document has
 * the field.
 */
export function sliced<D extends Document & { _id: string }>(
  collection: Collection<D>,
  field: keyof D & string,
  { limit, after }: Slice<string | number>,
  filter: Filter<D> = {},
): Promise<WithId<D>[]> {
  const beyond =
    after === undefined ? {} : { $or: [{ [field]: { $gt: after[0] } }, { [field]: after[0], _id: { $gt: after[1] } }] };
  return collection
    .find({ ...filter, ...(beyond as Filter<D>) })
    .sort({ [field]: 1, _id: 1 })
    .limit(limit)
    .toArray();
}
