import { randomBytes } from 'node:crypto';
import { type Batch } from './batch.js';
import { decide, type KnownEvents } from './decide.js';
import { type ProposedEvent } from './record.js';
import { DELETED_TB, isMetastream, isSoftDeleted, type StreamHead } from './stream-head.js';
import { type WriteRequest, type WriteResult } from './write-request.js';

/** What a request comes to. `end`: index in the batch of its last event, once that is written. */
export type Planned =
  { readonly result: WriteResult } | { readonly error: unknown } | { readonly end: number; readonly revision: number };

export interface PlannerStore extends KnownEvents {
  head(stream: string): StreamHead;
  /** JSON of the stream's metadata as last written or planned; undefined without. */
  metadataOf(stream: string): Buffer | undefined;
  /** Log position of a durable event. */
  positionOf(head: StreamHead, revision: number): number | undefined;
  /** Called for each event put into a batch. */
  noteId(id: Buffer, head: StreamHead, revision: number, event: ProposedEvent): void;
}

/**
 * Decides a request on the state that the earlier requests of the batch leave, and adds what it writes to the batch.
 */
export function plan(request: WriteRequest, batch: Batch, store: PlannerStore): Planned {
  const head = store.head(request.stream);
  const ids = request.kind === 'append' ? request.events.map((event) => event.id) : [randomBytes(16)];
  const decision = decide(head, request.expected, ids, store);
  if (decision.kind === 'idempotent') {
    const position = store.positionOf(head, decision.last);
    return { result: { kind: 'ok', revision: decision.last, ...(position === undefined ? {} : { position }) } };
  }
  if (decision.kind !== 'write') return { result: decision };
  let revision = head.planned;
  if (request.kind === 'tombstone') putTombstone(head, batch, store);
  else if (request.kind === 'delete') putMetadata(request.stream, '{"$tb":9223372036854775807}', batch, store);
  else if (request.events.length === 0) return { result: { kind: 'ok', revision } };
  else revision = addEvents(request, head, decision.undelete, batch, store);
  return { end: batch.endAppend(), revision };
}

function addEvents(
  request: WriteRequest,
  head: StreamHead,
  undelete: boolean,
  batch: Batch,
  store: PlannerStore,
): number {
  if (undelete) putMetadata(head.name, withTruncation(store.metadataOf(head.name), head.planned + 1), batch, store);
  const target = isMetastream(head.name) ? store.head(head.name.slice(2)) : undefined;
  const wasDeleted = target !== undefined && isSoftDeleted(target);
  for (const event of request.events) put(head, event, target, batch, store);
  const revision = head.planned;
  // New metadata brings a soft-deleted stream back, but never the events that were deleted.
  if (wasDeleted && target.truncateBefore < target.planned + 1) {
    putMetadata(target.name, withTruncation(store.metadataOf(target.name), target.planned + 1), batch, store);
  }
  return revision;
}

function putTombstone(head: StreamHead, batch: Batch, store: PlannerStore): void {
  const event = systemEvent('$streamDeleted', '');
  batch.addTombstone(head, event);
  store.noteId(event.id, head, head.planned, event);
}

function putMetadata(stream: string, json: string, batch: Batch, store: PlannerStore): void {
  put(store.head(`$$${stream}`), systemEvent('$metadata', json), store.head(stream), batch, store);
}

function put(
  head: StreamHead,
  event: ProposedEvent,
  target: StreamHead | undefined,
  batch: Batch,
  store: PlannerStore,
): void {
  store.noteId(event.id, head, batch.add(head, event, target), event);
}

function systemEvent(type: string, json: string): ProposedEvent {
  return { id: randomUuid(), type, json: true, data: Buffer.from(json), metadata: Buffer.alloc(0) };
}

function randomUuid(): Buffer {
  const id = randomBytes(16);
  id[6] = ((id[6] ?? 0) & 0x0f) | 0x40;
  id[8] = ((id[8] ?? 0) & 0x3f) | 0x80;
  return id;
}

/** The metadata with only `$tb` changed. */
function withTruncation(json: Buffer | undefined, truncateBefore: number): string {
  let fields: Record<string, unknown> = {};
  try {
    const value: unknown = JSON.parse(json?.toString('utf8') ?? '{}');
    if (typeof value === 'object' && value !== null) fields = { ...value };
  } catch {
    // A real node reads unreadable metadata as none.
  }
  return JSON.stringify({ ...fields, $tb: Math.min(truncateBefore, DELETED_TB) });
}
