import { describe, expect, it } from '@jest/globals';
import { parseMarkdown } from './parse.js';

describe('front matter that cannot be read', () => {
  const problem = (source: string) => parseMarkdown(source, { context: 'page' }).frontMatterProblem;

  it('is told with the line and the reason', () => {
    expect(problem('---\na: b\nc: "d" e\n---\n')).toMatch(/^line 3: /);
    expect(problem('---\n- a: b\n---\n')).toBe('it is no map');
    expect(problem(`---\na: ${'b'.repeat(65_536)}\n---\n`)).toMatch(/longer/);
  });

  it('is none where the text has front matter, or begins with a rule', () => {
    for (const fine of ['---\na: b\n---\n', '---\n\nHello\n\n---\n', 'a: b: c']) expect(problem(fine)).toBeUndefined();
  });
});
