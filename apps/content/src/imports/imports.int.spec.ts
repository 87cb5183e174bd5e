import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRig, type Rig } from '../test/rig.js';
import { emptySpace, imported } from '../test/zips.js';

describe('imports', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({ RATE_LIMIT_CONTENT_WRITE: '0' });
  }, 60_000);
  afterAll(() => rig.stop());

  const read = async (space: string, path: string) => (await rig.send('GET', `/spaces/${space}/content${path}`)).body;

  it('make one revision of a folder with a table of contents, files, reusable contents and variables', async () => {
    const space = await emptySpace(rig);
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const done = await imported(rig, space, {
      'SUMMARY.md':
        '# Table of contents\n\n* [Welcome](README.md)\n\n## Guides\n\n* [Install](guides/install.md)\n  * [Linux](guides/linux.md)\n* [Elsewhere](https://example.org/)\n',
      'README.md':
        '---\ndescription: The first page\nicon: house\n---\n\n# Hello\n\nSee [how](guides/install.md#run) and ![a picture](.gitbook/assets/dot.png).\n\n{% include ".gitbook/includes/note.md" %}\n',
      'guides/install.md':
        '# Install\n\n## Run\n\nBack to [start](../README.md), on to [Linux](linux.md).\n\n| A | B |\n| - | - |\n| 1 | [x](gone.md) |\n',
      'guides/linux.md': 'Text without a heading.\n',
      '.gitbook/assets/dot.png': png,
      '.gitbook/includes/note.md': '# Note\n\nRead [this](../../README.md).\n',
      '.gitbook/vars.yaml': 'version: "1.10"\n',
    });
    expect(done).toMatchObject({
      status: 'completed',
      report: {
        pages: 5,
        files: 1,
        reusableContents: 1,
        variables: 1,
        warnings: [{ kind: 'link', path: 'guides/install.md', target: 'gone.md' }],
      },
    });
    expect(done.pages.map(({ title, type, status }) => [title, type, status])).toEqual([
      ['Hello', 'page', 'completed'],
      ['Guides', 'folder', 'completed'],
      ['Install', 'page', 'completed'],
      ['Linux', 'page', 'completed'],
      ['Elsewhere', 'link', 'completed'],
    ]);
    const revision = await read(space, '');
    expect(revision).toMatchObject({ id: done.revision, variables: { version: '1.10' } });
    expect(await read(space, '/path/hello?format=markdown')).toMatchObject({
      title: 'Hello',
      description: 'The first page',
      icon: 'house',
      markdown: expect.stringMatching(/\[how\]\(guides\/install\/README\.md#run\).*\/files\/.*reusable-content/s),
    });
    expect(await read(space, '/path/guides/install/linux?format=markdown')).toMatchObject({ title: 'Linux' });
  });
});
