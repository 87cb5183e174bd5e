import type { Call } from '@scriptorium/platform';
import type { Making } from './make-changes.js';
import { pageParser } from './documents/read-document.process.js';

/** What making changes takes from a request. Each attempt to make them begins with another one. */
export function makingOf(
  call: Pick<Call, 'deadline' | 'idFor' | 'limits' | 'now' | 'urls' | 'workers'>,
): Pick<Making, 'api' | 'newId' | 'now' | 'parse' | 'variables'> {
  return {
    newId: (what) => call.idFor(what),
    parse: pageParser(call, call.deadline),
    now: call.now(),
    api: call.urls.api,
    variables: call.limits.variablesPerSpace,
  };
}
