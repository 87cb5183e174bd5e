import { type RunFailure, type RunOutcome, type RunProgress } from './run.js';
import { type RunDoc } from './run-documents.js';

/** A run as those who asked for it see it. Times are epoch ms. */
export interface RunView {
  readonly id: string;
  readonly kind: string;
  readonly version: number;
  readonly organization: string | null;
  /** Id of whoever requested it. */
  readonly requestedBy: string;
  readonly input: unknown;
  /** `pending`: no step has begun yet; `cancelling`: it ends at the next step boundary, or is cleaning up. */
  readonly status: 'pending' | 'running' | 'cancelling' | RunOutcome;
  readonly progress?: RunProgress;
  readonly requestedAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** What it came to; `null` unless its last step gave something. */
  readonly result: unknown;
  readonly failure?: RunFailure;
  /** For operators: steps that are done, how often the next one has failed, and by what. */
  readonly step: number;
  readonly attempts: number;
  readonly error?: string;
}

/** What a document shows. */
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
