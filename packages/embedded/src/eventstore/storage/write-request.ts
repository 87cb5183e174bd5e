import { type Expected } from './decide.js';
import { type ProposedEvent } from './record.js';

export type WriteKind = 'append' | 'delete' | 'tombstone';

export interface WriteRequest {
  readonly kind: WriteKind;
  readonly stream: string;
  readonly expected: Expected;
  /** empty unless `kind` is 'append' */
  readonly events: readonly ProposedEvent[];
  /** ms since 1970; a request still waiting then is answered 'timeout' and not written */
  readonly deadline?: number;
}

export type WriteResult =
  /**
   * `revision` of the stream's last event, -1 for none; `position` of the last event, absent when nothing was written
   */
  | { readonly kind: 'ok'; readonly revision: number; readonly position?: number }
  | { readonly kind: 'wrong_version'; readonly current: number }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'timeout' };

/** Bytes a request holds in memory, about. */
export function requestBytes(request: WriteRequest): number {
  let bytes = 200 + request.stream.length;
  for (const event of request.events) bytes += 150 + event.type.length + event.data.length + event.metadata.length;
  return bytes;
}
