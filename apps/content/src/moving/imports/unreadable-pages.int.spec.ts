import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startRig, type Rig } from '../../test/rig.js';
import { emptySpace, imported } from '../../test/zips.js';

jest.setTimeout(120_000);

const long = Array.from({ length: 60_000 }, (_, n) => `word ${n}`).join('\n');
const bars = `| a | b |\n| - | - |\n${'| 1 | 2 |\n'.repeat(4_000)}`;

describe('pages of an import that cannot be read', () => {
  let rig: Rig;
  beforeAll(async () => void (rig = await startRig()), 60_000);
  afterAll(() => rig.stop());

  const markdownAt = async (space: string, path: string) =>
    (await rig.send('GET', `/spaces/${space}/content/path/${path}?format=markdown`)).body['markdown'];

  it('fail by themselves, each with its reason, and all others arrive', async () => {
    const space = await emptySpace(rig);
    const files = {
      'good.md': '# Good\n\n[to it](long.md)\n',
      'latin.md': Buffer.from([0x23, 0x20, 0xfc, 0x0a]),
      'long.md': `# Long\n\n${long}`,
      'table.md': `# Table\n\n${bars}`,
      'code.md': `# Code\n\n\`\`\`\n${'a | b | c || d\n'.repeat(4_000)}\`\`\`\n\nRun \`a | b\`.\n`,
      '.gitbook/includes/long.md': long,
    };
    const done = await imported(rig, space, files);
    expect(done).toMatchObject({ status: 'completed', report: { pages: 5, reusableContents: 1 } });
    expect(done.report.warnings).toEqual([
      { kind: 'unreadable', path: 'latin.md', message: 'It is not UTF-8' },
      { kind: 'unreadable', path: 'long.md', message: expect.stringMatching(/a page has at most 524288/) },
      { kind: 'unreadable', path: 'table.md', message: expect.stringMatching(/more than 10000 characters \|/) },
      { kind: 'unreadable', path: '.gitbook/includes/long.md', message: expect.stringMatching(/at most 524288/) },
    ]);
    expect(done.pages.map(({ path, status }) => `${path ?? ''} ${status}`)).toEqual([
      'code.md completed',
      'good.md completed',
      'latin.md failed',
      'long.md failed',
      'table.md failed',
    ]);
    expect(await markdownAt(space, 'good')).toBe('# Good\n\n[to it](long.md)\n');
    expect(await markdownAt(space, 'code')).toContain('a | b | c || d');
    expect(await markdownAt(space, 'long')).toBe('# Long\n');
  });

  it('keep the text that they have when the content is replaced', async () => {
    const space = await emptySpace(rig);
    await imported(rig, space, { 'a.md': '# A\n\nWords.\n', 'b.md': '# B\n' });
    const done = await imported(rig, space, { 'a.md': `# A\n\n${long}`, 'b.md': '# B again\n' }, { mode: 'replace' });
    expect(done.report.warnings).toEqual([expect.objectContaining({ kind: 'unreadable', path: 'a.md' })]);
    expect([await markdownAt(space, 'a'), await markdownAt(space, 'b')]).toEqual(['# A\n\nWords.\n', '# B again\n']);
  });
});
