import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { changeContentOf, page } from '../test/pages.js';
import { makeSpace } from '../test/spaces.js';
import { get, startRig, type Rig } from '../test/rig.js';
import { imported } from '../test/zips.js';

describe('links that lead nowhere any more', () => {
  let rig: Rig;
  let space: string;
  beforeAll(async () => {
    rig = await startRig({ RATE_LIMIT_CONTENT_WRITE: '0' });
    space = await makeSpace(rig);
  }, 60_000);
  afterAll(() => rig.stop());

  const change = (changes: object[]) => changeContentOf(rig, space, changes);
  const read = async (id: string, query: string) =>
    (await rig.send('GET', `/spaces/${space}/content/page/${id}?${query}`)).body;
  const refsOf = async (id: string) => {
    const text = JSON.stringify((await read(id, 'format=document'))['document']);
    return [...text.matchAll(/"ref":(\{[^{}]*\})/g)].map(([, ref = '']) => JSON.parse(ref) as object);
  };
  const file = {
    operation: 'insert_files',
    files: [{ name: 'f.txt', ref: 'f', contentType: 'text/plain', base64: 'eA==' }],
  };

  /** A page with links to a page and a file that are deleted then. */
  const linked = async () => {
    const markdown = [
      'Read [this](./gone.md) and [that](./gone.md#part), or [a file](/files/f).',
      '![](/files/f)',
      '{% content-ref url="./gone.md" %}\n[this](./gone.md)\n{% endcontent-ref %}',
      '<a href="./gone.md" class="button primary">Go</a> and [this](./gone.md "mention").',
      '{% file src="/files/f" %}\nA file\n{% endfile %}',
    ].join('\n\n');
    const refs = await change([file, page('Gone', '## Part', { ref: 'gone' }), page('Linked', markdown, { ref: 'p' })]);
    const made = String((await rig.send('GET', `/spaces/${space}`)).body['revision']);
    await change([
      { operation: 'delete_page', page: refs['gone'] },
      { operation: 'delete_file', file: refs['f'] },
    ]);
    return { id: refs['p'] ?? '', gone: refs['gone'] ?? '', made };
  };

  it.each(['relative', 'stable'])('stay what they are when markdown with %s links is written back', async (style) => {
    const { id, gone } = await linked();
    const before = await refsOf(id);
    expect(before).toContainEqual({ kind: 'page', page: gone });
    expect(before).toContainEqual({ kind: 'anchor', page: gone, anchor: 'part' });
    const markdown = String((await read(id, `format=markdown&format.markdown.refs=${style}`))['markdown']);
    expect(markdown).toContain(`/pages/${gone}`);
    await change([{ operation: 'update_page', page: id, document: { markdown } }]);
    expect(await refsOf(id)).toEqual(before);
    await change([
      { operation: 'update_page', page: id, document: { markdown: markdown.replace('Read', 'Read again') } },
    ]);
    expect(await refsOf(id)).toEqual(before);
    const links = (await rig.send('GET', `/spaces/${space}/content/page/${id}/links`)).body.items;
    expect(links.some((link) => link['status'] === 'broken' && get(link, 'reference.page') === gone)).toBe(true);
  });

  it('lead somewhere again when what they lead to comes back', async () => {
    const { id, gone, made } = await linked();
    const markdown = String((await read(id, 'format=markdown'))['markdown']);
    await change([{ operation: 'update_page', page: id, document: { markdown } }]);
    await change([{ operation: 'revert_page', page: gone, revision: made }]);
    expect((await read(id, 'format=markdown'))['markdown']).toMatch(/\[this]\(gone[\d-]*\.md\)/);
  });

  it('stay what they are when an import of edited markdown takes the place of the content', async () => {
    const own = await makeSpace(rig);
    const { p = '', gone } = await changeContentOf(rig, own, [
      page('Gone', '', { ref: 'gone' }),
      page('P', 'Read [this](./gone.md).', { ref: 'p' }),
    ]);
    await changeContentOf(rig, own, [{ operation: 'delete_page', page: gone }]);
    const path = `/spaces/${own}/content/page/${p}`;
    const text = String((await rig.send('GET', `${path}?format=markdown`)).body['markdown']);
    const files = { 'SUMMARY.md': '* [P](p.md)\n', 'p.md': text.replace('Read', 'Read again') };
    expect(await imported(rig, own, files, { mode: 'replace' })).toMatchObject({ status: 'completed' });
    const { body } = await rig.send('GET', `${path}?format=document`);
    expect(get(body, 'document.nodes.0.nodes.0.leaves.0.text')).toBe('Read again ');
    expect(get(body, 'document.nodes.0.nodes.1.data.ref')).toEqual({ kind: 'page', page: gone });
  });

  it('are texts where no reference was', async () => {
    const { id } = await linked();
    await change([{ operation: 'update_page', page: id, document: { markdown: '[x](/pages/nothing) [y](other.md)' } }]);
    expect(await refsOf(id)).toEqual([]);
  });
});
