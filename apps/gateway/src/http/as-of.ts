import { invalid, Moment, wireHeader, type Operation } from '@scriptorium/contracts';
import { parametersOf } from '../input/query.js';

const positionForm = /^\d{1,19}$/;

/** As of when a read shows its resource, as a header for the service. @throws `invalid_request` naming the parameter */
export function asOfHeader({ history }: Operation, url: string): Record<string, string> {
  const [asOf, ...more] = parametersOf(url)?.getAll('asOf') ?? [];
  if (asOf === undefined) return {};
  // Ignored like other unknown parameters, it would make the present look like the past.
  if (history === undefined) throw invalid('query.asOf', 'What this operation shows cannot be shown as it was');
  if (more.length > 0 || !(positionForm.test(asOf) || Moment.safeParse(asOf).success)) throw invalid('query.asOf', 'Must be a moment in UTC or a position');
  return { [wireHeader.asOf]: asOf };
}
