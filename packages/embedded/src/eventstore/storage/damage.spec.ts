import {
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
  closeSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomFrom, seedOfRun } from '../../test/random.js';
import { StoreDamaged } from './damage.js';
import { EventStore } from './store.js';

const CASES = Number(process.env['DAMAGE_CASES'] ?? 50);
const BATCHES = 60;
const SEGMENT = 16 * 1024;

interface Known {
  readonly key: string;
  readonly position: number;
  /** Length of the record, which begins at the position. */
  readonly bytes: number;
  readonly batch: number;
}

let dir: string;
let origin: string;
const known: Known[] = [];

function proposed(n: number) {
  return {
    id: randomBytes(16),
    type: 'Written',
    json: true,
    data: Buffer.from(JSON.stringify({ n, text: 'd'.repeat(n % 300) })),
    metadata: Buffer.alloc(0),
  };
}

function readAll(store: EventStore): Known[] {
  const all: Known[] = [];
  const cursor = store.forward(0);
  while (
    cursor.step(
      (record) =>
        all.push({
          key: `${record.stream}@${String(record.revision)} ${record.data.toString()}`,
          position: record.position,
          bytes: record.length,
          batch: 0,
        }) > 0,
    )
  )
    continue;
  return all;
}

/** Writes a log of many group commits over several files, and takes a copy of the folder as a crash would leave it. */
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'eventstore-damage-'));
  origin = join(dir, 'origin');
  const live = join(dir, 'live');
  const store = await EventStore.open({ dataDir: live, logger: () => undefined, segmentBytes: SEGMENT });
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const size = 1 + (batch % 5);
    await Promise.all(
      Array.from({ length: size }, (_, i) =>
        store.submit({
          kind: 'append',
          stream: `s-${String((batch + i) % 9)}`,
          expected: 'any',
          events: [proposed(batch), proposed(i)],
        }),
      ),
    );
    for (const entry of readAll(store).slice(known.length)) known.push({ ...entry, batch });
  }
  cpSync(live, origin, { recursive: true, filter: (path) => !path.endsWith('owner.lock') });
  await store.close();
});
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

/** Opens the damaged copy and reads everything: the events, or the error by which the damage was told. */
async function outcomeOf(copy: string): Promise<Known[] | StoreDamaged> {
  try {
    const store = await EventStore.open({ dataDir: copy, logger: () => undefined, segmentBytes: SEGMENT });
    try {
      return readAll(store);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof StoreDamaged) return error;
    throw error;
  }
}

function expectNoSilentHole(outcome: Known[] | StoreDamaged, what: string): void {
  if (outcome instanceof StoreDamaged) {
    expect(outcome.message).toContain(outcome.file);
    expect(outcome.message).toContain(`offset ${String(outcome.offset)}`);
    return;
  }
  const keys = outcome.map(({ key }) => key);
  expect({ what, keys }).toEqual({ what, keys: known.slice(0, keys.length).map(({ key }) => key) });
  const lost = known.slice(keys.length);
  // Only the last group commit can look like a torn write.
  expect({ what, lost: lost.every(({ batch }) => batch === BATCHES - 1) }).toEqual({ what, lost: true });
}

function segmentsOf(copy: string): string[] {
  return readdirSync(join(copy, 'log'))
    .sort()
    .map((name) => join(copy, 'log', name));
}

function flip(path: string, offset: number, mask: number): void {
  const fd = openSync(path, 'r+');
  const byte = Buffer.alloc(1);
  readSync(fd, byte, 0, 1, offset);
  byte[0] = (byte[0] ?? 0) ^ mask;
  writeSync(fd, byte, 0, 1, offset);
  closeSync(fd);
}

/** The position of a file's first byte: its name. */
const baseOf = (file: string): number => parseInt(file.slice(-16, -4), 16);

/** Bytes of the last file that hold records. */
function usedOfLast(): number {
  const names = segmentsOf(origin);
  const last = known[known.length - 1];
  return (last?.position ?? 0) + (last?.bytes ?? 0) - baseOf(names[names.length - 1] ?? '');
}

/** Opens a copy in which one bit of a file is flipped. */
async function outcomeOfFlip(name: string, file: number, offset: number, bit: number): Promise<Known[] | StoreDamaged> {
  const copy = join(dir, name);
  cpSync(origin, copy, { recursive: true });
  flip(segmentsOf(copy)[file] ?? '', offset, 1 << bit);
  const outcome = await outcomeOf(copy);
  rmSync(copy, { recursive: true });
  return outcome;
}

describe('a damaged log', () => {
  it('reads back whole when nothing happened to it', async () => {
    const copy = join(dir, 'whole');
    cpSync(origin, copy, { recursive: true });
    expect(segmentsOf(copy).length).toBeGreaterThan(2);
    const outcome = await outcomeOf(copy);
    expect(outcome).toHaveLength(known.length);
  });

  it('never hides a flipped bit, wherever it is', async () => {
    const random = randomFrom(seedOfRun('bit flips'));
    for (let i = 0; i < CASES; i += 1) {
      const files = segmentsOf(origin);
      const number = random(files.length);
      const size = number === files.length - 1 ? usedOfLast() : statSync(files[number] ?? '').size;
      const [offset, bit] = [random(size), random(8)];
      const outcome = await outcomeOfFlip(`flip-${String(i)}`, number, offset, bit);
      expectNoSilentHole(outcome, `bit ${String(bit)} at ${String(offset)} of file ${String(number)}`);
    }
  }, 60_000);

  it('is told when a bit is flipped in a record that an intact commit follows', async () => {
    const random = randomFrom(seedOfRun('bit flips in records'));
    const followed = known.filter(({ batch }) => batch < BATCHES - 1);
    for (let i = 0; i < CASES; i += 1) {
      const { position, bytes } = followed[random(followed.length)] as Known;
      const number = segmentsOf(origin).findLastIndex((file) => baseOf(file) <= position);
      const offset = position - baseOf(segmentsOf(origin)[number] ?? '') + random(bytes);
      const bit = random(8);
      const outcome = await outcomeOfFlip(`told-${String(i)}`, number, offset, bit);
      expectNoSilentHole(outcome, `bit ${String(bit)} at ${String(offset)} of file ${String(number)}`);
      expect({ offset, bit, told: outcome instanceof StoreDamaged }).toEqual({ offset, bit, told: true });
    }
  }, 60_000);

  it('loses only what was not yet whole when the last file is cut short', async () => {
    const random = randomFrom(seedOfRun('torn tails'));
    for (let i = 0; i < CASES; i += 1) {
      const copy = join(dir, `cut-${String(i)}`);
      cpSync(origin, copy, { recursive: true });
      const files = segmentsOf(copy);
      const file = files[files.length - 1] ?? '';
      const base = baseOf(file);
      const size = 64 + random(usedOfLast());
      truncateSync(file, size);
      const outcome = await outcomeOf(copy);
      if (outcome instanceof StoreDamaged) throw new Error(`cut at ${String(size)}: ${outcome.message}`);
      const keys = outcome.map(({ key }) => key);
      expect(keys).toEqual(known.slice(0, keys.length).map(({ key }) => key));
      const next = known[keys.length + 2];
      // The append that the cut went through, and what follows it, is gone; everything in front of it is there.
      expect(next === undefined || next.position + 53 > base + size).toBe(true);
      rmSync(copy, { recursive: true });
    }
  }, 60_000);

  it('goes on after a torn tail, and the new events survive', async () => {
    const copy = join(dir, 'goes-on');
    cpSync(origin, copy, { recursive: true });
    const files = segmentsOf(copy);
    flip(
      files[files.length - 1] ?? '',
      (known[known.length - 1]?.position ?? 0) - baseOf(files[files.length - 1] ?? '') + 60,
      4,
    );
    const options = { dataDir: copy, logger: () => undefined, segmentBytes: SEGMENT };
    const store = await EventStore.open(options);
    const before = readAll(store).length;
    await store.submit({ kind: 'append', stream: 'after', expected: 'no_stream', events: [proposed(1)] });
    await store.close();
    const again = await EventStore.open(options);
    expect(readAll(again).length).toBe(before + 1);
    await again.close();
  });
});
