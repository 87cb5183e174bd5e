import { describe, expect, it } from '@jest/globals';
import { zipOf } from '../../../test/zips.js';
import { listEntries } from './list-entries.task.js';

describe('the list of the files of an archive', () => {
  it('is read from its end, as far back as its table of contents goes, however many files there are', async () => {
    const count = 20_000;
    const bytes = await zipOf(Object.fromEntries(Array.from({ length: count }, (_, n) => [`a/${n}.txt`, 'x'])), false);
    const listed = (start: number) =>
      listEntries({ archive: 0, name: 'a.zip', size: bytes.length, end: bytes.subarray(start) });
    const first = await listed(bytes.length - 100_000);
    const start = 'needs' in first ? first.needs : 0;
    expect(start).toBeGreaterThan(0);
    const all = await listed(start);
    expect('files' in all ? all.files.size : 0).toBe(count);
  });
});
