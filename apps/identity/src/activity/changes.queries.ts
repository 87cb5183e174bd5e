import { AppError, paramsOf, streamOfAction, type Changes, type Principal } from '@scriptorium/contracts';
import { positionFrom } from '@scriptorium/event-sourcing';
import { startBehind, visibleTo, type Scope, type Shown } from '@scriptorium/platform';
import { Long } from 'mongodb';
import { auditEvents, type AuditEventDocument } from './audit-event.projection.js';
import { actorsOf, targetOf } from './audit.queries.js';

export interface ChangesAfter {
  organization: string;
  principal: Principal;
  after: string | undefined;
  limit: number;
}

/**
 * The changes after a position that the caller may see, oldest first. A page ends where all documents are known to be
 * written, so it never passes events that another replica is still writing.
 */
export async function listChanges(
  scope: Scope,
  { organization, principal, after, limit }: ChangesAfter,
): Promise<Changes> {
  const { store, urls } = scope;
  const { start, head } = await startBehind(scope, auditEvents, after);
  const found = await store
    .read(auditEvents)
    .find({ organization, _at: { $gt: Long.fromBigInt(start), $lte: Long.fromBigInt(head) } })
    .sort({ _at: 1 })
    .limit(limit + 1)
    .toArray();
  const docs = found.slice(0, limit);
  const visible = await visibleTo(scope, principal, docs.map(shownBy));
  const seen = docs.filter((_, i) => visible[i]);
  const actorOf = await actorsOf(scope, seen);
  const items = seen.map((doc) => ({
    object: 'change' as const,
    id: doc._id,
    cursor: String(positionFrom(doc._at)),
    occurredAt: doc.occurredAt,
    action: doc.action,
    actor: actorOf(doc),
    target: targetOf(doc, urls),
  }));
  const more = found.length > limit;
  const last = more ? positionFrom(docs.at(-1)?._at) : start > head ? start : head;
  return { items, more, next: { page: String(last < 0n ? 0n : last) } };
}

function shownBy({ action, ...about }: AuditEventDocument): Shown {
  const stream = streamOfAction.get(action);
  if (stream === undefined) throw new AppError('unexpected', [], { message: `Unknown action ${action}` });
  return { by: stream.shownBy, params: paramsOf(stream, about) ?? {} };
}
