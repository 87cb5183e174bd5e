import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { IndexFile } from './index-file.js';
import { EventLog } from './log.js';
import { EventStore } from './store.js';

const EVENTS = 200;
const base = mkdtempSync(join(tmpdir(), 'eventstore-index-'));
let dataDir: string;
let path: string;

const open = () => EventStore.open({ dataDir, logger: () => undefined });
const event = () => ({
  id: randomBytes(16),
  type: 'T',
  json: true,
  data: Buffer.from('{}'),
  metadata: Buffer.alloc(0),
});

beforeEach(async () => {
  dataDir = mkdtempSync(join(base, 'data-'));
  path = join(dataDir, 'index.lmdb');
  const store = await open();
  await Promise.all(
    Array.from({ length: EVENTS }, (_, n) =>
      store.submit({ kind: 'append', stream: `s-${String(n % 7)}`, expected: 'any', events: [event()] }),
    ),
  );
  await store.close();
});
afterAll(() => {
  rmSync(base, { recursive: true, force: true });
});

async function expectWhole(): Promise<void> {
  const store = await open();
  let found = 0;
  for (let stream = 0; stream < 7; stream += 1) {
    const head = store.find(`s-${String(stream)}`);
    if (head !== undefined) store.page(head, 0, 1, () => (found += 1) > 0);
  }
  await store.close();
  expect(found).toBe(EVENTS);
}

describe('the index', () => {
  it('is dropped when it belongs to another log', async () => {
    const file = await IndexFile.open(path, 'another log');
    expect(file.checkpoint()).toMatchObject({ position: 0, logId: 'another log' });
    await file.close();
    await expectWhole();
  });

  it.each([
    [
      'missing',
      () => {
        rmSync(path);
      },
    ],
    [
      'empty',
      () => {
        writeFileSync(path, '');
      },
    ],
    [
      'garbage',
      () => {
        writeFileSync(path, randomBytes(50_000));
      },
    ],
    [
      'zeros',
      () => {
        writeFileSync(path, Buffer.alloc(50_000));
      },
    ],
    [
      'cut short',
      () => {
        truncateSync(path, 9_000);
      },
    ],
    [
      'what an earlier start died of',
      () => {
        writeFileSync(`${path}.starting`, '1');
      },
    ],
  ])('is built again when it is %s', async (_what, harm) => {
    harm();
    await expectWhole();
    await expectWhole();
  });

  it('is complete after a clean stop, so that a start reads nothing again', async () => {
    const store = await open();
    const { end } = store;
    await store.close();
    const log = EventLog.open(join(dataDir, 'log'));
    log.close();
    const { logId } = log;
    const file = await IndexFile.open(path, logId);
    expect(file.checkpoint()).toMatchObject({ position: end, logId });
    await file.close();
  });
});
