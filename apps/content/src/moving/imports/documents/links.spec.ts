import { describe, expect, it } from '@jest/globals';
import type { TargetUse } from '@scriptorium/rich-text';
import { linksOf, type Targets } from './links.js';

const targets: Targets = {
  pages: { 'README.md': 'root', 'a/README.md': 'a', 'a/b c.md': 'b' },
  files: { '.gitbook/assets/x.png': 'x' },
  includes: { '.gitbook/includes/n.md': 'n' },
  routes: { intro: 'root', 'a/by-id': 'b', 'guides/deep': 'b' },
  ids: { old: 'a', x: 'x', n: 'n' },
  outside: 'https://example.org/docs',
};

/** What links of `a/page.md` lead to. */
const target = (url: string, use: TargetUse = 'link') => linksOf(targets, 'a/page.md').resolve(url, use);

describe('links of imported files', () => {
  it.each<[string, object]>([
    ['../README.md', { kind: 'page', page: 'root' }],
    ['..', { kind: 'page', page: 'root' }],
    ['b%20c.md#part', { kind: 'anchor', page: 'b', anchor: 'part' }],
    ['./b c', { kind: 'page', page: 'b' }],
    ['/a/', { kind: 'page', page: 'a' }],
    ['./?x=1', { kind: 'page', page: 'a' }],
    ['../.gitbook/assets/x.png', { kind: 'file', file: 'x' }],
    ['../.gitbook/includes/n.md', { kind: 'reusable-content', reusableContent: 'n' }],
    ['/pages/old', { kind: 'page', page: 'a' }],
    ['/pages/old#x', { kind: 'anchor', page: 'a', anchor: 'x' }],
    ['/pages/a', { kind: 'page', page: 'a' }],
    ['/spaces/s/pages/p', { kind: 'page', page: 'p', space: 's' }],
    ['/files/x', { kind: 'file', file: 'x' }],
    ['#here', { kind: 'anchor', anchor: 'here' }],
    ['mailto:a@example.org', { kind: 'url', url: 'mailto:a@example.org' }],
    ['//example.org/a', { kind: 'url', url: 'https://example.org/a' }],
    ['b%20c.html#part', { kind: 'anchor', page: 'b', anchor: 'part' }],
    ['../index.html', { kind: 'page', page: 'root' }],
    ['by-id', { kind: 'page', page: 'b' }],
    ['../by-id', { kind: 'page', page: 'b' }],
    ['/docs/intro', { kind: 'page', page: 'root' }],
    ['/docs/next/guides/deep/#x', { kind: 'anchor', page: 'b', anchor: 'x' }],
    ['../../src/a b.ts#L1', { kind: 'url', url: 'https://example.org/src/a%20b.ts#L1' }],
  ])('%s', (url, expected) => {
    expect(target(url)).toEqual(expected);
  });

  it('that lead nowhere are told once, by what they are', () => {
    const links = linksOf(targets, 'a/page.md');
    for (const url of ['gone.md', 'gone.md', '/files/none', 'constructor', '/blog/intro'])
      expect(links.resolve(url, 'link')).toBeNull();
    expect(links.resolve('gone.png', 'image')).toBeNull();
    expect(links.resolve('gone.md', 'include')).toBeNull();
    expect(links.warnings.map(({ kind, target: to }) => [kind, to])).toEqual([
      ['link', 'gone.md'],
      ['link', '/files/none'],
      ['link', 'constructor'],
      ['link', '/blog/intro'],
      ['image', 'gone.png'],
      ['include', 'gone.md'],
    ]);
  });
});
