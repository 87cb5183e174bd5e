import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomFrom, seedOfRun } from '../../test/random.js';
import { StoreDamaged } from './damage.js';
import { EventStore } from './store.js';

const SEGMENT = 8 * 1024;

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'eventstore-compact-'));
});
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

const open = (name: string) =>
  EventStore.open({ dataDir: join(dir, name), logger: () => undefined, segmentBytes: SEGMENT });

function event(n: number) {
  return {
    id: randomBytes(16),
    type: 'T',
    json: true,
    data: Buffer.from(JSON.stringify({ n, fill: 'f'.repeat(n % 200) })),
    metadata: Buffer.alloc(0),
  };
}

function entries(store: EventStore): string[] {
  const all: string[] = [];
  const cursor = store.forward(0);
  while (
    cursor.step(
      (record) =>
        all.push(`${String(record.position)} ${record.stream}@${String(record.revision)} ${record.data.toString()}`) >
        0,
    )
  )
    continue;
  return all;
}

function backwards(store: EventStore): string[] {
  const all: string[] = [];
  const cursor = store.backward(store.end);
  while (
    cursor.step(
      (record) =>
        all.push(`${String(record.position)} ${record.stream}@${String(record.revision)} ${record.data.toString()}`) >
        0,
    )
  )
    continue;
  return all.reverse();
}

function streamOf(store: EventStore, name: string): number[] {
  const head = store.find(name);
  const found: number[] = [];
  for (let next = 0; head !== undefined && next !== Infinity;) {
    next = store.page(head, next, 1, (record) => found.push(record.revision) > 0);
  }
  return found;
}

const append = (store: EventStore, stream: string, n: number) =>
  store.submit({ kind: 'append', stream, expected: 'any', events: [event(n), event(n + 1)] });

describe('compacted files', () => {
  it('hold, over any mixture of deletions and scavenges, exactly what a model says', async () => {
    const random = randomFrom(seedOfRun('scavenge'));
    let store = await open('model');
    const tombstoned = new Set<string>();
    for (let step = 0; step < 400; step += 1) {
      const stream = `s-${String(random(12))}${random(2) === 0 ? '' : `.${String(step)}`}`;
      const what = random(20);
      if (what < 16) await append(store, stream, step);
      else if (what < 18) {
        await store.submit({ kind: 'tombstone', stream, expected: 'any', events: [] });
        tombstoned.add(stream);
      } else if (what === 18) {
        const expected = entries(store).filter((entry) => {
          const name = (entry.split(' ')[1] ?? '').split('@')[0] ?? '';
          return !tombstoned.has(name) || !entry.includes('{');
        });
        await store.scavenge();
        expect(entries(store)).toEqual(expected);
      } else {
        await store.close();
        store = await open('model');
      }
    }
    const all = entries(store);
    expect(backwards(store)).toEqual(all);
    for (let stream = 0; stream < 12; stream += 1) {
      const name = `s-${String(stream)}`;
      if (tombstoned.has(name)) continue;
      expect(streamOf(store, name)).toEqual(
        all
          .filter((entry) => entry.split(' ')[1]?.startsWith(`${name}@`))
          .map((entry) => Number(entry.split(' ')[1]?.split('@')[1])),
      );
    }
    await store.close();
    rmSync(join(dir, 'model', 'index.lmdb'));
    store = await open('model');
    expect(entries(store)).toEqual(all);
    await store.close();
  }, 60_000);

  it('survive a stop at any step of their making', async () => {
    const store = await open('origin');
    for (let n = 0; n < 200; n += 1) await append(store, `s-${String(n % 10)}`, n);
    for (let n = 0; n < 9; n += 1)
      await store.submit({ kind: 'tombstone', stream: `s-${String(n)}`, expected: 'any', events: [] });
    const log = join(dir, 'origin', 'log');
    const copyOf = (name: string) => {
      cpSync(join(dir, 'origin'), join(dir, name), { recursive: true, filter: (path) => !path.endsWith('owner.lock') });
    };
    copyOf('unfinished');
    await store.scavenge();
    copyOf('before');
    const old = readdirSync(log);
    // What is left fills small files: a second run merges them.
    await store.scavenge();
    const left = entries(store);
    copyOf('covered');
    await store.close();

    // Killed while writing: a temporary file stands beside the untouched ones.
    const half = join(dir, 'unfinished', 'log', `${old[0] ?? ''}.tmp`);
    writeFileSync(half, randomBytes(500));
    const first = await open('unfinished');
    expect(existsSync(half)).toBe(false);
    expect(entries(first).length).toBeGreaterThan(left.length);
    await first.scavenge();
    expect(entries(first).length).toBe(left.length);
    await first.close();

    // Killed behind the renaming: files that the merged one covers are still there.
    const covered = old.filter((name) => !readdirSync(log).includes(name));
    expect(covered.length).toBeGreaterThan(0);
    for (const name of covered) cpSync(join(dir, 'before', 'log', name), join(dir, 'covered', 'log', name));
    const second = await open('covered');
    expect(entries(second)).toEqual(left);
    expect(readdirSync(join(dir, 'covered', 'log')).filter((name) => covered.includes(name))).toEqual([]);
    await second.close();
  });

  it('tell when one of them is damaged or cut short', async () => {
    const random = randomFrom(seedOfRun('compacted damage'));
    const store = await open('sound');
    for (let n = 0; n < 150; n += 1) await append(store, `s-${String(n % 4)}`, n);
    await store.submit({ kind: 'tombstone', stream: 's-0', expected: 'any', events: [] });
    await store.scavenge();
    await store.close();
    for (let i = 0; i < 20; i += 1) {
      cpSync(join(dir, 'sound'), join(dir, 'hurt'), { recursive: true });
      const file = join(dir, 'hurt', 'log', readdirSync(join(dir, 'hurt', 'log')).sort()[0] ?? '');
      const bytes = readFileSync(file);
      const at = random(bytes.length);
      if (i % 2 === 0) truncateSync(file, at);
      else writeFileSync(file, bytes.fill((bytes[at] ?? 0) ^ (1 << random(8)), at, at + 1));
      const told = open('hurt').then(async (hurt) => {
        try {
          entries(hurt);
        } finally {
          await hurt.close();
        }
      });
      await expect(told).rejects.toBeInstanceOf(StoreDamaged);
      rmSync(join(dir, 'hurt'), { recursive: true });
    }
  });
});
