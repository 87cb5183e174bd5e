import {
  FLAG_APPEND_END,
  FLAG_BATCH_START,
  FLAG_TOMBSTONE,
  type ProposedEvent,
  recordSize,
  writeRecord,
} from './record.js';
import { applyMetadata, isMetastream, type StreamHead } from './stream-head.js';

interface Placed {
  readonly head: StreamHead;
  readonly event: ProposedEvent;
  readonly revision: number;
  readonly flags: number;
}

export interface Written {
  readonly head: StreamHead;
  readonly id: Buffer;
  readonly revision: number;
  readonly position: number;
  readonly tombstone: boolean;
}

type Saved = Pick<StreamHead, 'planned' | 'tombstoned' | 'truncateBefore' | 'maxCount' | 'maxAge'>;

/** The events of one group commit. Planning changes the heads' `planned` side; `rollback` takes that back. */
export class Batch {
  private readonly placed: Placed[] = [];
  private readonly saved = new Map<StreamHead, Saved>();
  bytes = 0;

  get isEmpty(): boolean {
    return this.placed.length === 0;
  }

  get size(): number {
    return this.placed.length;
  }

  /** Adds an event behind the stream's planned ones; returns its revision. */
  add(head: StreamHead, event: ProposedEvent, target: StreamHead | undefined): number {
    this.save(head);
    head.planned += 1;
    this.place(head, event, head.planned, 0);
    if (target !== undefined && isMetastream(head.name)) {
      this.save(target);
      applyMetadata(target, event.data);
    }
    return head.planned;
  }

  addTombstone(head: StreamHead, event: ProposedEvent): void {
    this.save(head);
    head.tombstoned = true;
    this.place(head, event, 0xffffffff, FLAG_TOMBSTONE);
  }

  /** Marks the last event added as the end of its append. Returns its index, to find its position by. */
  endAppend(): number {
    const last = this.placed.length - 1;
    const event = this.placed[last];
    if (event !== undefined) this.placed[last] = { ...event, flags: event.flags | FLAG_APPEND_END };
    return last;
  }

  /** The records as they go to the log at position `start`. */
  encode(start: number, created: number): { bytes: Buffer; written: Written[] } {
    const bytes = Buffer.allocUnsafe(this.bytes);
    const written: Written[] = [];
    let at = 0;
    for (const { head, event, revision, flags } of this.placed) {
      const place = { position: start + at, revision, created, flags: at === 0 ? flags | FLAG_BATCH_START : flags };
      written.push({ head, id: event.id, revision, position: start + at, tombstone: (flags & FLAG_TOMBSTONE) !== 0 });
      at += writeRecord(bytes, at, Buffer.from(head.name, 'utf8'), event, place);
    }
    return { bytes, written };
  }

  /**
   * Puts the heads back to what they were; nothing of this batch was written. Returns the ids it would have written.
   */
  rollback(): Buffer[] {
    for (const [head, before] of this.saved) Object.assign(head, before);
    return this.placed.map(({ event }) => event.id);
  }

  private place(head: StreamHead, event: ProposedEvent, revision: number, flags: number): void {
    this.bytes += recordSize(Buffer.byteLength(head.name), event);
    this.placed.push({ head, event, revision, flags });
  }

  private save(head: StreamHead): void {
    if (this.saved.has(head)) return;
    const { planned, tombstoned, truncateBefore, maxCount, maxAge } = head;
    this.saved.set(head, { planned, tombstoned, truncateBefore, maxCount, maxAge });
  }
}
