import { describe, expect, it } from '@jest/globals';
import { links } from '../text/links.js';
import { parseMarkdown, type ParseOptions } from './parse.js';

describe('links that lead nowhere', () => {
  const targets: Record<string, string> = { './a.md': 'a' };
  const resolveLink: ParseOptions['resolveLink'] = (url) =>
    url in targets ? { kind: 'page', page: targets[url] ?? '' } : null;
  const refsIn = (text: string, previous?: string) => {
    const before = previous === undefined ? {} : { previous: parseMarkdown(previous).document };
    return links(parseMarkdown(text, { resolveLink, ...before }).document).map(({ ref }) => ref);
  };

  it('keep the reference that the former document has for their address', () => {
    const gone = '[x](/pages/gone) [y](/pages/gone#part) ![](/files/f) [z](./a.md)';
    expect(refsIn(gone, gone)).toEqual([
      { kind: 'page', page: 'gone' },
      { kind: 'anchor', page: 'gone', anchor: 'part' },
      { kind: 'file', file: 'f' },
      { kind: 'page', page: 'a' },
    ]);
  });

  it('are text where it has none, and follow the resolver where that knows a target', () => {
    expect(refsIn('[x](/pages/other)', '[x](/pages/gone)')).toEqual([]);
    expect(refsIn('[x](/pages/gone)')).toEqual([]);
    expect(refsIn('[x](https://a.b)', '[x](https://a.b)')).toEqual([]);
    targets['/pages/gone'] = 'back';
    expect(refsIn('[x](/pages/gone)', '[x](/pages/gone)')).toEqual([{ kind: 'page', page: 'back' }]);
  });
});
