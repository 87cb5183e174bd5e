import { describe, expect, it } from '@jest/globals';
import { readAppAddress } from './app-address.js';

describe('an address of the application', () => {
  const read = (path: string) => readAppAddress(`https://docs.example/app${path}`, 'https://docs.example/app/');
  const space = { organization: 'o1', space: 's1' };

  it.each([
    ['/o/o1/c/c1', { organization: 'o1', collection: 'c1' }],
    ['/o/o1/s/s1', space],
    ['/o/o1/s/s1/', space],
    ['/o/o1/s/s1?x=1#y', space],
    ['/o/o1/s/s1/p1', { ...space, page: 'p1' }],
    ['/o/o1/s/s1/guides/%C3%BCber', { ...space, page: 'guides/über' }],
    ['/o/o1/s/s1/~/changes/7', { ...space, changeRequest: '7' }],
    ['/o/o1/s/s1/~/changes/7/guides/a', { ...space, changeRequest: '7', page: 'guides/a' }],
    ['/o/o1/s/s1/~/revisions/r1/p1', { ...space, revision: 'r1', page: 'p1' }],
  ])('%s is read', (path, expected) => {
    expect(read(path)).toEqual(expected);
  });

  it.each([
    '',
    '/',
    '/o/o1',
    '/o/o1/s',
    '/o/o1/x/s1',
    '/o/o1/c/c1/p',
    '/o/o1/s/s1/~/others/1',
    '/o/a.b/s/s1',
    '/o/o1/s/s1/%',
  ])('"%s" is none', (path) => {
    expect(read(path)).toBeUndefined();
  });

  it('is one of this installation alone', () => {
    const app = 'https://docs.example';
    for (const url of ['https://other.example/o/o1/s/s1', 'http://docs.example/o/o1/s/s1', 'no address'])
      expect(readAppAddress(url, app)).toBeUndefined();
    expect(readAppAddress('https://docs.example/o/o1/s/s1', app)).toEqual(space);
  });
});
