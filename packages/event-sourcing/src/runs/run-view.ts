import { type RunView } from '../commands/run-request.js';
import { type RunDoc } from './run-documents.js';

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
