import { isSoftDeleted, type StreamHead } from './stream-head.js';

/** What the writer expects the stream's last revision to be. */
export type Expected = 'any' | 'no_stream' | 'stream_exists' | number;

export type Decision =
  /** `undelete`: the stream was soft-deleted and begins again behind its old events. */
  | { readonly kind: 'write'; readonly undelete: boolean }
  | { readonly kind: 'idempotent'; readonly first: number; readonly last: number }
  /** `current` -1: no events */
  | { readonly kind: 'wrong_version'; readonly current: number }
  | { readonly kind: 'deleted' };

export interface KnownEvents {
  /** Revision of an event of this stream with that id, among those written recently. */
  recent(head: StreamHead, id: Buffer): number | undefined;
  /** Whether the event at that revision has that id; false when it cannot be read any more. */
  hasIdAt(head: StreamHead, revision: number, id: Buffer): boolean;
  /** Whether the stream has metadata. */
  hasMetadata(head: StreamHead): boolean;
}

/**
 * Expected revision and idempotency, as a real node checks a write: known ids answer the earlier success,
 * with 'any' and 'stream_exists' from recent ids, with a revision by comparing what follows it.
 */
export function decide(head: StreamHead, expected: Expected, ids: readonly Buffer[], known: KnownEvents): Decision {
  if (head.tombstoned) return { kind: 'deleted' };
  const current = head.planned;
  if (expected === 'stream_exists') {
    if (isSoftDeleted(head)) return { kind: 'deleted' };
    if (current < 0 && !known.hasMetadata(head)) return { kind: 'wrong_version', current };
  }
  if (expected === 'any' || expected === 'stream_exists') return decideByRecentIds(head, ids, known);
  const revision = expected === 'no_stream' ? -1 : expected;
  if (revision > current) return { kind: 'wrong_version', current };
  if (revision === current) return { kind: 'write', undelete: isSoftDeleted(head) };
  return decideByFollowing(head, revision, ids, known);
}

function decideByRecentIds(head: StreamHead, ids: readonly Buffer[], known: KnownEvents): Decision {
  const revisions = ids.map((id) => known.recent(head, id));
  const [first] = revisions;
  if (first === undefined) return { kind: 'write', undelete: isSoftDeleted(head) };
  const last = revisions[revisions.length - 1];
  if (last === undefined || revisions.includes(undefined)) return { kind: 'wrong_version', current: head.planned };
  return { kind: 'idempotent', first, last };
}

function decideByFollowing(head: StreamHead, revision: number, ids: readonly Buffer[], known: KnownEvents): Decision {
  const wrong: Decision = { kind: 'wrong_version', current: head.planned };
  for (const [i, id] of ids.entries()) {
    if (known.hasIdAt(head, revision + 1 + i, id)) continue;
    return i === 0 && revision === -1 && isSoftDeleted(head) ? { kind: 'write', undelete: true } : wrong;
  }
  return ids.length === 0 ? wrong : { kind: 'idempotent', first: revision + 1, last: revision + ids.length };
}
