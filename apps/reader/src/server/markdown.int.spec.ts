import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@scriptorium/event-sourcing/testing';
import { dot } from '../test/everything.js';
import { startReaderRig, type ReaderRig } from '../test/reader-rig.js';

const page = (title: string, markdown: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...more,
});

describe('the markdown of a page on a site', () => {
  let world: ReaderRig;
  let address: string;
  beforeAll(async () => {
    world = await startReaderRig();
    const other = await world.space('Reference', [page('Terms', 'Words.', { ref: 'terms' })]);
    const closed = await world.space('Closed', [page('Secret', 'Nothing.', { ref: 'secret' })]);
    const dotKey = await world.upload('dot.png', 'image/png', dot);
    const manualKey = await world.upload('manual.pdf', 'application/pdf', Buffer.from('%PDF-1.4 manual'));
    const files = [
      { name: 'dot.png', upload: dotKey, ref: 'dot' },
      { name: 'manual.pdf', upload: manualKey, ref: 'manual' },
    ];
    const guide = await world.space('Guide', [
      { operation: 'insert_files', files },
      {
        operation: 'insert_reusable_content',
        title: 'Note',
        ref: 'note',
        document: { markdown: 'Noted, see ![in a note](/files/dot).' },
      },
      page('Folder', 'Go [on](./inner.md#part).', { ref: 'folder' }),
      page(
        'Inner',
        [
          'Back to [the folder](./folder.md), [terms](/spaces/TERMS/pages/PAGE), [secret](/spaces/CLOSED/pages/SECRET) and [here](#part).',
          '![A dot](/files/dot)',
          '[The manual](/files/manual) and ![small](/files/dot) in text.',
          '{% file src="/files/manual" %}',
          '{% include "/reusable-content/note" %}',
          '## Part',
        ]
          .join('\n\n')
          .replace('TERMS/pages/PAGE', `${other.id}/pages/${other.refs['terms'] ?? ''}`)
          .replace('CLOSED/pages/SECRET', `${closed.id}/pages/${closed.refs['secret'] ?? ''}`),
        { ref: 'inner', into: 'folder' },
      ),
      page('Covered', 'Words.', { cover: { ref: { kind: 'file', file: 'dot' }, yPos: 5, height: 200 } }),
    ]);
    address = (await world.publish({ title: 'Docs', spaces: [guide.id, other.id] })).address;
  }, 90_000);
  afterAll(() => world.stop());

  /** The addresses in a text, without those that lead nowhere. */
  const addressesIn = (text: string) =>
    [...text.matchAll(/(?:\]\(|src="|href=")<?([^)"> ]+)/g)].map(([, found = '']) => found);

  it('has whole addresses of pages, files and pictures, and each of them opens', async () => {
    const { text } = await world.open(`${address}folder/inner.md`);
    expect(text).toContain(`[the folder](${address}folder.md)`);
    expect(text).toContain(`/terms.md)`);
    expect(text).toContain('[here](#part)');
    expect(text).toContain('Noted, see');
    expect(text).not.toMatch(/\/files\/[\w-]+["\s)]|reusable-content|\/pages\//);
    const found = addressesIn(text).filter((one) => one !== '#part' && one !== 'broken-reference');
    expect(found.length).toBeGreaterThanOrEqual(7);
    for (const one of found) expect([one, (await world.open(one)).status]).toEqual([one, 200]);
  });

  it('says of a page that is not shown no more than its words', async () => {
    const { text } = await world.open(`${address}folder/inner.md`);
    expect(text).toContain('[secret](broken-reference)');
  });

  it('leads from the page of a folder into it', async () => {
    const { text } = await world.open(`${address}folder.md`);
    expect(text).toBe(`# Folder\n\nGo [on](${address}folder/inner.md#part).\n`);
  });

  it('has the cover of the page in its front matter, from which an import takes it', async () => {
    const { text } = await world.open(`${address}covered.md`);
    const [, cover = ''] = /^---\ncover: >?-?\s*(\S+)\ncoverY: 5\ncoverHeight: 200\n---\n/.exec(text) ?? [];
    expect((await world.open(cover)).headers.get('content-type')).toBe('image/png');
    const space = await world.space('Again', [page('There', 'Words.')]);
    const file = { name: 'covered.md', type: 'text/markdown', size: Buffer.byteLength(text) };
    const upload = await world.make('POST', `/orgs/${world.rig.organization}/storage/upload`, {
      file,
      kind: 'import_file',
    });
    await fetch(String(upload.body['url']), { method: 'PUT', body: text });
    const begun = await world.make('POST', `/orgs/${world.rig.organization}/imports`, {
      source: { type: 'file', files: [upload.body['key']] },
      target: { space: space.id },
    });
    const path = `/orgs/${world.rig.organization}/imports/${String(begun.body['id'])}`;
    await eventually(async () => (await world.make('GET', path)).body['status'] === 'completed', 20_000);
    const read = await world.make('GET', `/spaces/${space.id}/content/path/covered`);
    expect(read.body['cover']).toEqual({ ref: { kind: 'url', url: cover }, yPos: 5, height: 200 });
  });
});
