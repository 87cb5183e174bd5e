import { describe, expect, it } from '@jest/globals';
import { visibilityOnSites } from './space-visibility.js';

describe('the visibility of spaces on sites', () => {
  it('is that of the published site which shows a space to most', () => {
    const site = (
      visibility: 'public' | 'unlisted' | 'share-link' | 'visitor-auth',
      space: string,
      published = true,
    ) => ({
      visibility,
      published,
      spaces: { [`site-${space}`]: space },
    });
    const found = visibilityOnSites([
      site('visitor-auth', 'a'),
      site('unlisted', 'a'),
      site('share-link', 'a'),
      site('public', 'a', false),
      site('visitor-auth', 'b'),
      site('public', 'c', false),
    ]);
    expect([...found].sort()).toEqual([
      ['a', 'unlisted'],
      ['b', 'visitor-auth'],
    ]);
  });
});
