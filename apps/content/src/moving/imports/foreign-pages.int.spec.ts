import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startRig, type Rig } from '../../test/rig.js';
import { emptySpace, imported } from '../../test/zips.js';

jest.setTimeout(120_000);

describe('pages of other products', () => {
  let rig: Rig;
  beforeAll(async () => void (rig = await startRig()), 60_000);
  afterAll(() => rig.stop());

  const markdownAt = async (space: string, path: string) =>
    (await rig.send('GET', `/spaces/${space}/content/path/${path}?format=markdown`)).body['markdown'];

  it('in MDX are read as markdown, with one warning for all code that is left out', async () => {
    const space = await emptySpace(rig);
    const done = await imported(rig, space, {
      'index.mdx':
        "import Tabs from '@theme/Tabs';\n\nexport const a = 1;\n\n# Start\n\nSee [more](more) and {a}.\n\n<Odd>Inside.</Odd>\n",
      'more.mdx': '# More\n\nBack to [start](./index.mdx).\n',
      'own.md': '# Own\n\n:::tip\nUse it.\n:::\n\nCurly {braces} stay.\n',
    });
    expect(done.report).toMatchObject({ pages: 3 });
    expect(done.report.warnings).toEqual([
      { kind: 'left_out', path: 'index.mdx', target: expect.stringMatching(/import.*Odd/) },
    ]);
    expect(await markdownAt(space, 'start')).toBe('# Start\n\nSee [more](more.md) and .\n\nInside.\n');
    expect(await markdownAt(space, 'more')).toBe('# More\n\nBack to [start](start.md).\n');
    expect(await markdownAt(space, 'own')).toBe(
      '# Own\n\n{% hint style="success" %}\nUse it.\n{% endhint %}\n\nCurly {braces} stay.\n',
    );
  });
});
