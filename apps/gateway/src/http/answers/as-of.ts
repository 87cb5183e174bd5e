import { Moment, wireHeader, type Operation } from '@scriptorium/contracts';

const positionForm = /^\d{1,19}$/;

/** `?asOf` of a read as a header for the service. Calls `fail` for a malformed value. */
export function asOfHeader(
  { history }: Operation,
  query: URLSearchParams,
  fail: (path: string, message: string) => Record<string, string>,
): Record<string, string> {
  const [asOf, ...more] = query.getAll('asOf');
  if (asOf === undefined) return {};
  // If it were ignored like other unknown parameters, the present state would be taken for a past one.
  if (history === undefined) return fail('query.asOf', 'This operation has no history');
  if (more.length > 0 || !(positionForm.test(asOf) || Moment.safeParse(asOf).success))
    return fail('query.asOf', 'Must be a time in UTC or a position of the log');
  return { [wireHeader.asOf]: asOf };
}
