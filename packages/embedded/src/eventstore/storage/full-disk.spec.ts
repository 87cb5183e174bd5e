import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventLog } from './log.js';
import { EventStore } from './store.js';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'eventstore-full-'));
});
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

const event = () => ({
  id: randomBytes(16),
  type: 'T',
  json: true,
  data: Buffer.from('{}'),
  metadata: Buffer.alloc(0),
});

/** A disk that has no room while `full`. */
function disk(): { full: boolean; restore: () => void } {
  const state = { full: false, restore: () => undefined };
  const reserve = Object.getOwnPropertyDescriptor(EventLog.prototype, 'reserve')?.value as (
    this: EventLog,
    bytes: number,
  ) => void;
  EventLog.prototype.reserve = function (bytes) {
    if (state.full) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    reserve.call(this, bytes);
  };
  return Object.assign(state, {
    restore: () => {
      EventLog.prototype.reserve = reserve;
    },
  });
}

describe('a full disk', () => {
  it('fails the writes that meet it, changes nothing, and goes on when there is room', async () => {
    const space = disk();
    const store = await EventStore.open({ dataDir: dir, logger: () => undefined });
    const write = (expected: 'no_stream' | number, events = [event()]) =>
      store.submit({ kind: 'append', stream: 's', expected, events });
    await write('no_stream');
    space.full = true;
    const refused = event();
    const outcomes = await Promise.allSettled([
      write(0, [refused]),
      write(1),
      store.submit({ kind: 'tombstone', stream: 's', expected: 'any', events: [] }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    space.full = false;
    expect(await write(0, [refused])).toMatchObject({ kind: 'ok', revision: 1 });
    expect(await write('no_stream', [event()])).toEqual({ kind: 'wrong_version', current: 1 });
    await store.close();
    const again = await EventStore.open({ dataDir: dir, logger: () => undefined });
    expect(again.find('s')).toMatchObject({ last: 1, tombstoned: false });
    await again.close();
    space.restore();
  });
});
