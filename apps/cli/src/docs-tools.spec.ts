import { describe, expect, it } from '@jest/globals';

interface Page {
  path: string;
  text: string;
}

interface Tools {
  withSamples: (page: Page, read: (path: string) => string | undefined) => string;
  staleSamples: (page: Page, read: (path: string) => string | undefined) => string[];
  lostWords: (page: { path: string; prose: string }) => string[];
  missingDecisions: (names: readonly string[], list: string) => string[];
}

const folder = new URL('../../../docs/tools/', import.meta.url);
const load = (name: string): Promise<Partial<Tools>> => import(new URL(name, folder).href);
const tools = { ...(await load('samples.mjs')), ...(await load('pages.mjs')) } as Tools;

const source = `
import { x } from './x.js';

const limit = 3;

/** Says why. */
export function rename(title: string): string {
  return title;
}

export class Teams {
  @Handles(renameTeam)
  async rename(title: string) {
    if (title === '') {
      return;
    }
    return rename(title);
  }
}

describe('a team', () => {
  // #region spec
  it('is renamed', () => {
    rename('a');
  });
  // #endregion
});
`;
const read = (path: string) => (path === 'a.ts' ? source : undefined);
const fence = '```';
const page = (name: string, code = '', path = 'README.md'): Page => ({
  path,
  text: `Before\n\n<!-- from ${name} -->\n${fence}ts\n${code}${fence}\n\nAfter\n`,
});

describe('samples in pages', () => {
  it.each([
    [
      'a declaration without its comment',
      'rename',
      'export function rename(title: string): string {\n  return title;\n}',
    ],
    ['a constant', 'limit', 'const limit = 3;'],
    [
      'a method with its decorators and without indentation',
      'Teams.rename',
      "@Handles(renameTeam)\nasync rename(title: string) {\n  if (title === '') {\n    return;\n  }\n  return rename(title);\n}",
    ],
    ['a region', 'spec', "it('is renamed', () => {\n  rename('a');\n});"],
    ['several parts', 'limit,spec', "const limit = 3;\n\nit('is renamed', () => {\n  rename('a');\n});"],
  ])('show %s', (_, name, code) => {
    const filled = page(`a.ts#${name}`, `${code}\n`);
    expect(tools.withSamples(page(`a.ts#${name}`, 'old\n'), read)).toBe(filled.text);
    expect(tools.staleSamples(filled, read)).toEqual([]);
  });

  it('are stale when the source says something else', () => {
    expect(tools.staleSamples(page('a.ts#limit', 'const limit = 4;\n'), read)).toEqual([
      'README.md has code that its sources do not: npm run docs:write',
    ]);
  });

  it('name a source and a part that are there', () => {
    expect(tools.staleSamples(page('b.ts#limit'), read)).toEqual([
      'README.md: a sample comes from b.ts, which does not exist',
    ]);
    for (const name of ['nothing', 'Teams.nothing', ''])
      expect(tools.staleSamples(page(`a.ts#${name}`), read)).toEqual([
        `README.md: a.ts has no region or declaration "${name}"`,
      ]);
  });

  it('are all TypeScript of the pages of the product, and not that of packages', () => {
    const text = `Text\n\n${fence}ts\nconst own = 1;\n${fence}\n`;
    expect(tools.staleSamples({ path: 'docs/a.md', text }, read)).toEqual([
      'docs/a.md: the code "const own = 1;" names no source (<!-- from file#name --> above it)',
    ]);
    expect(tools.staleSamples({ path: 'packages/a/README.md', text }, read)).toEqual([]);
  });
});

describe('words that fell out of a page', () => {
  const lost = (prose: string) => tools.lostWords({ path: 'a.md', prose });

  it.each(['`` asks for it', 'run ` ` first', 'a span ` that does not end', 'it ``  ``'])(
    'are found where a code span is empty or unclosed: %j',
    (prose) => expect(lost(prose)[0]).toMatch(/^a\.md: an empty or unclosed code span/),
  );

  it.each([' asks a running installation', 'both hashes.  loads an organization'])(
    'are found where a gap is left: %j',
    (prose) => expect(lost(prose)[0]).toMatch(/^a\.md: a word is missing/),
  );

  it.each(['`a` and `b`', '`` a`b ``', '| a    | `b` |', '- item\n  more `of  it`', '    code  block', '1.  one'])(
    'are not seen in %j',
    (prose) => expect(lost(prose)).toEqual([]),
  );
});

describe('numbers of decisions', () => {
  const names = ['0001-one.md', '0003-three.md', 'README.md'];

  it('each have a line, also those that were never used', () => {
    const lines = '| [0001](0001-one.md) | One |\n| [0003](0003-three.md) | Three |\n';
    expect(tools.missingDecisions(names, lines)).toEqual([
      'docs/adr/README.md has no line for 0002; a number that was never used needs one, too',
    ]);
    expect(tools.missingDecisions(names, `${lines}| 0002 | not used |\n`)).toEqual([]);
  });

  it('are used once', () => {
    const lines = '| [0001](0001-one.md) | One |\n';
    expect(tools.missingDecisions(['0001-one.md', '0001-other.md'], lines)).toEqual([
      'docs/adr has two decisions with the number 0001',
    ]);
  });
});
