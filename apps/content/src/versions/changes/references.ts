import type { ContentChange, ContentReference } from '@scriptorium/contracts';

/** Ids by the names that a request gives. */
interface Named {
  refs: ReadonlyMap<string, string>;
}

/** The names that changes give to what they make: to files, and to all else. */
export function namesIn(changes: readonly ContentChange[]): { files: string[]; others: string[] } {
  const given = (ref: string | undefined): string[] => (ref === undefined ? [] : [ref]);
  return {
    files: changes.flatMap((change) => ('files' in change ? change.files.flatMap(({ ref }) => given(ref)) : [])),
    others: changes.flatMap((change) => ('ref' in change ? given(change.ref) : [])),
  };
}

/** The id of what a change names: an id, or the name of something that the request makes. */
export function idOf({ refs }: Named, named: string): string {
  return refs.get(named) ?? named;
}

/** A reference of a request, in which an id can be the name of something that the request makes. */
export function referenceIn<R extends ContentReference>(context: Named, reference: R): R {
  if ('space' in reference && reference.space !== undefined) return reference;
  const next: R = { ...reference };
  if ('page' in next && next.page !== undefined) next.page = idOf(context, next.page);
  if ('file' in next) next.file = idOf(context, next.file);
  if ('reusableContent' in next) next.reusableContent = idOf(context, next.reusableContent);
  return next;
}
