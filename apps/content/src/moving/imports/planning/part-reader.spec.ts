import { describe, expect, it } from '@jest/globals';
import { partKey, type Entry, type Range } from '../entry.js';
import { partReader } from './part-reader.js';

const bytes = Buffer.from(`---\nid: start\n---\n${'Text. '.repeat(1_000)}end`);
const size = bytes.length;
const entry: Entry = { archive: 0, offset: 0, name: 0, packed: size, size, crc: 0, method: 'whole' };
const files = new Map([['a.md', entry]]);
const partsOf = (ranges: readonly Range[]) =>
  Object.fromEntries(ranges.map((range) => [partKey(range), bytes.subarray(range.start, range.end)]));

describe('parts of uploads', () => {
  it('are asked for as far as they are needed: the beginning of a file does not stand for all of it', () => {
    const reader = partReader({});
    expect([reader.front(entry), reader.text(files, 'a.md', size)]).toEqual([undefined, undefined]);
    const [head, whole] = reader.needs;
    expect(reader.needs).toEqual([
      { archive: 0, start: 0, end: 2_048 },
      { archive: 0, start: 0, end: size },
    ]);
    for (const both of [reader.needs, [...reader.needs].reverse()]) {
      const read = partReader(partsOf(both));
      expect(read.front(entry)).toEqual({ id: 'start' });
      expect(read.text(files, 'a.md', size)).toBe(bytes.toString());
      expect(read.needs).toEqual([]);
    }
    const beginning = partReader(partsOf(head ? [head] : []));
    expect(beginning.text(files, 'a.md', size)).toBeUndefined();
    expect(beginning.needs).toEqual([whole]);
  });
});
