import { Moment, wireHeader, type Operation } from '@scriptorium/contracts';

const positionForm = /^\d{1,19}$/;

/** As of when a read shows its resource, as a header for the service. Tells `fail` what is malformed. */
export function asOfHeader({ history }: Operation, query: URLSearchParams, fail: (path: string, message: string) => Record<string, string>): Record<string, string> {
  const [asOf, ...more] = query.getAll('asOf');
  if (asOf === undefined) return {};
  // Ignored like other unknown parameters, it would make the present look like the past.
  if (history === undefined) return fail('query.asOf', 'What this operation shows cannot be shown as it was');
  if (more.length > 0 || !(positionForm.test(asOf) || Moment.safeParse(asOf).success)) return fail('query.asOf', 'Must be a moment in UTC or a position');
  return { [wireHeader.asOf]: asOf };
}
