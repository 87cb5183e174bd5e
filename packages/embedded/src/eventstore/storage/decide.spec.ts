import { describe, expect, it } from '@jest/globals';
import { decide, type Expected, type KnownEvents } from './decide.js';
import { DELETED_TB, newHead, type StreamHead } from './stream-head.js';

const id = (n: number): Buffer => Buffer.alloc(16, n);
/** A stream whose event at each revision has the id of that number. */
function stream(last: number, changes: Partial<StreamHead> = {}): StreamHead {
  return { ...newHead('s', 1), last, planned: last, ...changes };
}
const known: KnownEvents = {
  recent: (head, wanted) => (wanted[0] !== undefined && wanted[0] <= head.planned ? wanted[0] : undefined),
  hasIdAt: (_head, revision, wanted) => wanted[0] === revision,
  hasMetadata: (head) => head.name === 'with-metadata',
};
const check = (head: StreamHead, expected: Expected, ...ids: number[]) => decide(head, expected, ids.map(id), known);
const write = { kind: 'write', undelete: false };

describe('deciding a write', () => {
  it('takes the right revision and refuses any other with the current one', () => {
    expect(check(stream(-1), 'no_stream', 90)).toEqual(write);
    expect(check(stream(4), 4, 90)).toEqual(write);
    expect(check(stream(4), 5, 90)).toEqual({ kind: 'wrong_version', current: 4 });
    expect(check(stream(4), 'no_stream', 90)).toEqual({ kind: 'wrong_version', current: 4 });
    expect(check(stream(-1), 0, 90)).toEqual({ kind: 'wrong_version', current: -1 });
  });

  it('takes any, and stream_exists where events or metadata are', () => {
    expect(check(stream(-1), 'any', 90)).toEqual(write);
    expect(check(stream(0), 'stream_exists', 90)).toEqual(write);
    expect(check(stream(-1), 'stream_exists', 90)).toEqual({ kind: 'wrong_version', current: -1 });
    expect(check({ ...stream(-1), name: 'with-metadata' }, 'stream_exists', 90)).toEqual(write);
  });

  it('recognises what was written before', () => {
    expect(check(stream(4), 'any', 2, 3)).toEqual({ kind: 'idempotent', first: 2, last: 3 });
    expect(check(stream(4), 1, 2, 3)).toEqual({ kind: 'idempotent', first: 2, last: 3 });
    expect(check(stream(4), 'no_stream', 0)).toEqual({ kind: 'idempotent', first: 0, last: 0 });
  });

  it('refuses what was written before only in part', () => {
    expect(check(stream(4), 'any', 3, 90)).toEqual({ kind: 'wrong_version', current: 4 });
    expect(check(stream(4), 2, 3, 90)).toEqual({ kind: 'wrong_version', current: 4 });
    expect(check(stream(4), 2)).toEqual({ kind: 'wrong_version', current: 4 });
  });

  it('writes a known id again at the current revision', () => {
    expect(check(stream(4), 4, 3)).toEqual(write);
  });

  it('lets a soft-deleted stream begin again, and never a tombstoned one', () => {
    const deleted = stream(4, { truncateBefore: DELETED_TB });
    for (const expected of ['any', 'no_stream', 4] as const)
      expect(check(deleted, expected, 90)).toEqual({ kind: 'write', undelete: true });
    expect(check(deleted, 'stream_exists', 90)).toEqual({ kind: 'deleted' });
    expect(check(stream(4, { tombstoned: true }), 'any', 90)).toEqual({ kind: 'deleted' });
  });
});
