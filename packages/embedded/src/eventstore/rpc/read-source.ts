import { type ForwardCursor, type BackwardCursor, type Visit } from '../storage/cursor.js';
import { type EventStore } from '../storage/store.js';
import { firstVisible, isSoftDeleted, type StreamHead } from '../storage/stream-head.js';
import { streamDeleted } from '../wire/status.js';

/** Something read page by page. `step` returns false when there is nothing further now. */
export interface ReadSource {
  step(visit: Visit): boolean;
}

/** The whole log, from a cursor. */
export function allSource(cursor: ForwardCursor | BackwardCursor): ReadSource {
  return { step: (visit) => cursor.step(visit) };
}

/** One stream upwards or downwards; honours `$tb`, `$maxCount` and `$maxAge` as they are at each page. */
export class StreamSource implements ReadSource {
  constructor(
    private readonly store: EventStore,
    private readonly stream: string,
    /** revision to visit next */
    public next: number,
    private readonly direction: 1 | -1,
  ) {}

  /** @throws RpcError when the stream is tombstoned */
  step(visit: Visit): boolean {
    const head = this.store.find(this.stream);
    if (head?.tombstoned === true) throw streamDeleted(this.stream);
    if (head === undefined || isSoftDeleted(head)) return false;
    const lowest = firstVisible(head);
    if (this.direction === 1) this.next = Math.max(this.next, lowest);
    else this.next = Math.min(this.next, head.last);
    if (this.next < lowest || this.next > head.last) return false;
    let stopped = false;
    const notBefore = head.maxAge > 0 ? this.store.now() - head.maxAge : 0;
    const after = this.store.page(head, this.next, this.direction, (record) => {
      if (record.revision < lowest || record.created < notBefore) return true;
      const goOn = visit(record);
      stopped ||= !goOn;
      return goOn;
    });
    this.next = after === Infinity ? head.last + 1 : after;
    return !stopped && this.next >= lowest && this.next <= head.last;
  }
}

/** What a reader of a stream meets. */
export function streamState(head: StreamHead | undefined): 'missing' | 'deleted' | 'there' {
  if (head === undefined) return 'missing';
  if (head.tombstoned) return 'deleted';
  return head.last < 0 || isSoftDeleted(head) ? 'missing' : 'there';
}
