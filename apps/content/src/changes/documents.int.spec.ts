import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { changeContentOf, page } from '../test/pages.js';
import { get, startRig, type Rig } from '../test/rig.js';

const text = (value: string) => ({ object: 'text', leaves: [{ object: 'leaf', text: value, marks: [] }] });
const paragraph = (...nodes: object[]) => ({ object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes });
const link = (ref: object, said = 'there') => ({
  object: 'inline',
  type: 'link',
  isVoid: false,
  data: { ref },
  nodes: [text(said)],
});
const documentOf = (...nodes: object[]) => ({ object: 'document', data: {}, nodes });

describe('documents of changes', () => {
  let rig: Rig;
  let space: string;
  beforeAll(async () => {
    rig = await startRig({ RATE_LIMIT_CONTENT_WRITE: '0' });
    const made = await rig.send('POST', `/orgs/${rig.organization}/spaces`, {
      body: { editMode: 'live', empty: true },
    });
    space = String(made.body['id']);
  }, 60_000);
  afterAll(() => rig.stop());

  const change = (changes: object[]) => changeContentOf(rig, space, changes);
  const send = (changes: object[]) => rig.send('POST', `/spaces/${space}/content`, { body: { changes } });
  const markdownOf = async (id: string | undefined) =>
    String((await rig.send('GET', `/spaces/${space}/content/page/${id ?? ''}?format=markdown`)).body['markdown']);
  const refusal = async (changes: object[]) => {
    const { status, body } = await send(changes);
    return [status, body.error.reason, body.error.details?.[0]?.path];
  };

  it('keep a first heading that is not the title as a heading', async () => {
    const { p = '' } = await change([page('Title', '# Other\n\nText.', { ref: 'p' })]);
    // A page that is made takes its first heading as its title.
    expect(await markdownOf(p)).toBe('# Other\n\nText.\n');
    const update = (fields: object) => change([{ operation: 'update_page', page: p, ...fields }]);
    await update({ title: 'Mine', document: { markdown: '# Their *heading*\n\nText.' } });
    expect(await markdownOf(p)).toBe('# Mine\n\n## Their _heading_\n\nText.\n');
    await update({ title: 'New', document: { markdown: '# Mine\n\nText.' } });
    expect(await markdownOf(p)).toBe('# New\n\nText.\n');
    await update({ document: { markdown: '# Renamed\n\nText.' } });
    expect(await markdownOf(p)).toBe('# Renamed\n\nText.\n');
    await update({ document: { markdown: '---\ntitle: From above\n---\n\n# Below\n\nText.' } });
    expect(await markdownOf(p)).toBe('# From above\n\n## Below\n\nText.\n');
  });

  it('of reusable contents keep their first heading', async () => {
    const { r = '' } = await change([
      { operation: 'insert_reusable_content', ref: 'r', title: 'Note', document: { markdown: '# Said\n\nText.' } },
    ]);
    const { body } = await rig.send('GET', `/spaces/${space}/content/reusable-contents/${r}`);
    expect(body['markdown']).toContain('# Said');
  });

  it('in JSON link to what the request makes, by its name or by an address as in markdown', async () => {
    const document = documentOf(
      paragraph(
        link({ kind: 'page', page: 'made' }),
        link({ kind: 'url', url: './made.md#part' }),
        link({ kind: 'url', url: '/files/f' }),
        link({ kind: 'url', url: '/pages/made' }),
        link({ kind: 'url', url: 'https://example.com/' }),
        link({ kind: 'url', url: '/pages/nothing' }),
      ),
    );
    const refs = await change([
      { operation: 'insert_files', files: [{ name: 'f.txt', ref: 'f', contentType: 'text/plain', base64: 'eA==' }] },
      page('Made', '## Part', { ref: 'made' }),
      { operation: 'insert_page', title: 'Linked', ref: 'linked', document },
      { operation: 'insert_page', title: 'Linked too', ref: 'nested', document: { document } },
    ]);
    for (const id of [refs['linked'], refs['nested']]) {
      const { body } = await rig.send('GET', `/spaces/${space}/content/page/${id ?? ''}?format=document`);
      const found = (get(body, 'document.nodes.0.nodes') as object[]).flatMap((node) => {
        const ref = get(node, 'data.ref');
        return ref === undefined ? [] : [ref];
      });
      expect(found.slice(0, 5)).toEqual([
        { kind: 'page', page: refs['made'] },
        { kind: 'anchor', page: refs['made'], anchor: 'part' },
        { kind: 'file', file: refs['f'] },
        { kind: 'page', page: refs['made'] },
        { kind: 'url', url: 'https://example.com/' },
      ]);
    }
  });

  it.each([
    ['nodes that are no list', { nodes: 7 }, '.nodes'],
    ['a node without a type', { nodes: [paragraph(), { object: 'block' }] }, '.nodes[1].type'],
    ['a node that is a text', { nodes: ['x'] }, '.nodes[0]'],
    ['data that are no object', { data: 'x', nodes: [] }, '.data'],
  ])('in JSON with %s are refused with the place', async (_, given, path) => {
    const document = { object: 'document', ...given };
    const insert = (one: object) => [page('Good'), { operation: 'insert_page', title: 'Bad', document: one }];
    const reason = 'content_change_invalid';
    expect(await refusal(insert(document))).toEqual([422, reason, `body.changes[1].document${path}`]);
    expect(await refusal(insert({ document }))).toEqual([422, reason, `body.changes[1].document.document${path}`]);
  });

  it('in JSON that nest deeply, or have very many nodes, are refused', async () => {
    const insert = (nodes: unknown) => [
      { operation: 'insert_page', title: 'Big', document: { object: 'document', nodes } },
    ];
    const many = Array.from({ length: 60_000 }, () => ({ object: 'block', type: 'x' }));
    expect((await refusal(insert(many)))[0]).toBe(422);
    let deep: object = paragraph(text('x'));
    for (let level = 0; level < 700; level += 1) deep = { object: 'block', type: 'blockquote', nodes: [deep] };
    expect([400, 422]).toContain((await refusal(insert([deep])))[0]);
  });

  it('in JSON that nest beyond what a parser can take are refused', async () => {
    const levels = 150_000;
    const body = `{"changes":[{"operation":"insert_page","title":"Deep","document":{"object":"document","nodes":[${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}]}}]}`;
    const answer = await rig.send('POST', `/spaces/${space}/content`, { body });
    expect([400, 413, 422]).toContain(answer.status);
  });

  it('have slugs that are the same in composed and decomposed form', async () => {
    const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301'];
    const refs = await change([
      page('One', '', { ref: 'one', slug: decomposed }),
      page('Two', '', { slug: composed, ref: 'two' }),
    ]);
    const at = async (path: string) =>
      (await rig.send('GET', `/spaces/${space}/content/path/${encodeURIComponent(path)}`)).body['id'];
    expect([await at(composed), await at(decomposed)]).toEqual([refs['one'], refs['one']]);
    expect(await at(`${composed}-1`)).toBe(refs['two']);
  });
});
