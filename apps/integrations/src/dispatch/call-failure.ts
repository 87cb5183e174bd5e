import { AppError, type Reason } from '@scriptorium/contracts';
import type { CallFailure } from '../scripts/index.js';

const passedOn: ReadonlySet<string> = new Set<Reason>([
  'integration_timeout',
  'integration_resting',
  'script_blocked',
  'script_out_of_memory',
] satisfies Reason[]);
const failed: ReadonlySet<string> = new Set(['script_failed', 'script_needed', 'answer_too_large', 'interrupted']);
const noDeveloper =
  'The integration is in development mode, and the address of its developer (`tunnelUrl`) did not answer';
const soonSeconds = 5;

/** The refusal of a request whose script gave no answer. Pure. */
export function refusalOfCall({ reason, message, retryAfterMs }: CallFailure): AppError {
  const seconds = retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(retryAfterMs / 1000));
  const later = seconds === undefined ? {} : { retryAfter: seconds };
  if (isPassedOn(reason)) return new AppError(reason, [], later);
  // What the engine says of a script is for its owner, who finds it in the trace.
  if (reason === 'answer_too_large') return new AppError('integration_failed', [], { message });
  if (reason === 'tunnel_failed') return new AppError('integration_failed', [], { message: noDeveloper });
  if (failed.has(reason)) return new AppError('integration_failed');
  return new AppError('runtime_unavailable', [], { retryAfter: seconds ?? soonSeconds });
}

function isPassedOn(reason: string): reason is Reason {
  return passedOn.has(reason);
}
