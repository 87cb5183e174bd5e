import type { AuditExport } from '@scriptorium/contracts';
import { positionFrom } from '@scriptorium/event-sourcing';
import { startBehind, type Scope } from '@scriptorium/platform';
import { Long } from 'mongodb';
import { auditEvents } from './audit-event.projection.js';
import { renderAuditEvents } from './audit.queries.js';

export interface AuditEventsAfter {
  organization: string;
  after: string | undefined;
  limit: number;
}

/**
 * The audit events after a position, oldest first. A page ends where all documents are known to be written, so whoever
 * goes on behind it misses no event that another replica is still writing, and gets none twice.
 */
export async function exportAuditEvents(
  scope: Scope,
  { organization, after, limit }: AuditEventsAfter,
): Promise<AuditExport> {
  const { start, head } = await startBehind(scope, auditEvents, after);
  const found = await scope.store
    .read(auditEvents)
    .find({ organization, _at: { $gt: Long.fromBigInt(start), $lte: Long.fromBigInt(head) } })
    .sort({ _at: 1 })
    .limit(limit + 1)
    .toArray();
  const docs = found.slice(0, limit);
  const cursors = docs.map(({ _at }) => String(positionFrom(_at)));
  const events = await renderAuditEvents(scope, docs);
  const items = events.map((event, at) => ({ ...event, cursor: cursors[at] ?? '' }));
  const more = found.length > limit;
  const end = start > head ? start : head;
  return { items, more, next: { page: more ? (cursors.at(-1) ?? '') : String(end < 0n ? 0n : end) } };
}
