import { describe, expect, it } from '@jest/globals';
import { parseMarkdown, RichTextError } from '../index.js';

/** Why a text is refused; undefined when it is read. */
function refusal(text: string): string | undefined {
  try {
    parseMarkdown(text, { context: 'page' });
    return undefined;
  } catch (error) {
    if (error instanceof RichTextError) return error.message;
    throw error;
  }
}

const fence = (text: string): string => `\`\`\`\n${text}\n\`\`\`\n`;
const times = (text: string, count: number): string => text.repeat(count);

describe('the limits of what a text costs', () => {
  it.each([
    ['references in paragraphs', times(`${times('[x][y] ', 160)}\n\n`, 450)],
    ['references that lead somewhere', `[y]: https://a.b\n\n${times(`${times('[x][y] ', 160)}\n\n`, 400)}`],
    ['short references', times(`${times('[x]', 300)}\n\n`, 550)],
    ['links', times(`${times('[x](y) ', 160)}\n\n`, 450)],
    ['images', times(`${times('![x][y]', 150)}\n\n`, 450)],
    ['brackets without an end', times(`${times('[x][y', 160)}\n\n`, 600)],
    ['references in what only looks like code', `<!--\n\`\`\`\n-->\n\n${times(`${times('[x][y] ', 160)}\n\n`, 450)}`],
  ])('name links and references where there are too many: %s', (_name, text) => {
    const started = performance.now();
    expect(refusal(text)).toBe('The text has more than 20000 links and references (characters ] outside of code).');
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('name the characters of tables', () => {
    expect(refusal(times('a | b\n', 10_001))).toBe(
      'The text has more than 10000 characters | of tables outside of code.',
    );
    expect(refusal(`| a |\n| - |\n${times('| `|||||||||||||||||||` |\n', 600)}`)).toMatch(/characters \| of tables/);
  });

  it.each([
    ['bars in a fence', fence(times('a | b | c\n', 6000))],
    ['bars in a fence of an item', `* a\n\n${fence(times('a || b\n', 6000)).replace(/^/gm, '  ')}`],
    ['bars in code in text', times('a `x || y` b ', 6000)],
    ['brackets in a fence', fence(times('[1, 2], [3]\n', 12_000))],
    ['brackets in code in text', times('a `x[0]` and `y[1]` b ', 11_000)],
    ['a long table of contents', times('* [A page of documentation](some/path/of/it.md)\n', 8000)],
    ['many tasks', times('* [ ] something to do\n', 10_000)],
  ])('leave room for %s', (_name, text) => expect(refusal(text)).toBeUndefined());
});
