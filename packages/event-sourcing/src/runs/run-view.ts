import { type RunFailure, type RunOutcome, type RunProgress } from './run.js';
import { type RunDoc } from './run-documents.js';

/** A run as clients see it. Times are in milliseconds since 1970. */
export interface RunView {
  readonly id: string;
  readonly kind: string;
  readonly version: number;
  readonly organization: string | null;
  /** Id of the principal who requested it. */
  readonly requestedBy: string;
  readonly input: unknown;
  /** `pending`: no step has begun. `cancelling`: it ends after the present step, or is cleaning up. */
  readonly status: 'pending' | 'running' | 'cancelling' | RunOutcome;
  readonly progress?: RunProgress;
  readonly requestedAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** The result of the last step; `null` if it gave none. */
  readonly result: unknown;
  readonly failure?: RunFailure;
  /** For operators: finished steps, failed attempts at the next one, and the last error. */
  readonly step: number;
  readonly attempts: number;
  readonly error?: string;
}

/** The view of a document. */
export function viewOf(doc: RunDoc): RunView {
  const { progress, startedAt, endedAt, failure, error } = doc;
  return {
    id: doc._id,
    kind: doc.kind,
    version: doc.version,
    organization: doc.organization,
    requestedBy: doc.actor.id,
    input: JSON.parse(doc.input) as unknown,
    status: statusOf(doc),
    requestedAt: doc.requestedAt,
    result: doc.result === undefined ? null : (JSON.parse(doc.result) as unknown),
    step: doc.step,
    attempts: doc.attempts,
    ...(progress === undefined ? {} : { progress }),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(failure === undefined || doc.open ? {} : { failure }),
    ...(error === undefined ? {} : { error }),
  };
}

function statusOf({ open, outcome, cancelling, startedAt }: RunDoc): RunView['status'] {
  if (!open) return outcome ?? 'failed';
  if (cancelling) return 'cancelling';
  return startedAt === undefined ? 'pending' : 'running';
}
