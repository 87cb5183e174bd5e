import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { changeContentOf, page } from '../../test/pages.js';
import { get, startRig, type Rig } from '../../test/rig.js';
import { makeSpace } from '../../test/spaces.js';
import { imported } from '../../test/zips.js';

let rig: Rig;
beforeAll(async () => void (rig = await startRig()), 60_000);
afterAll(() => rig.stop());

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
  let space: string;
  beforeAll(async () => {
    const made = await rig.send('POST', `/orgs/${rig.organization}/spaces`, {
      body: { editMode: 'live', empty: true },
    });
    space = String(made.body['id']);
  });

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

describe('front matter of pages', () => {
  let space: string;
  beforeAll(async () => void (space = await makeSpace(rig)));

  const send = (changes: object[]) => rig.send('POST', `/spaces/${space}/content`, { body: { changes } });

  it.each([
    ['hidden: often', 'invalid hidden: Must be true or false'],
    ['noIndex: "yes"', 'invalid noIndex: Must be true or false'],
    ['description: [a]', 'invalid description: Must be a text'],
    ['icon: {a: b}', 'invalid icon: Must be a text'],
    ['icon: No Such Icon', 'invalid icon'],
    ['if: [a]', 'invalid if: Must be a text'],
    ['if: visitor.claims.', 'invalid if'],
    ['if: "1 + 2"', 'invalid if'],
    ['if: "new Date()"', 'invalid if'],
    ['vars: [a]', 'invalid vars: Must be a map'],
    ['vars: {a: {b: c}}', 'invalid vars.a: Must be a text'],
    ['vars: {1a: c}', 'invalid vars.1a: Must be a text'],
    ['cover: [a]', 'invalid cover: Must be a text'],
    ['cover: /files/f\ncoverHeight: tall', 'invalid coverHeight: Must be a number'],
    ['cover: /files/f\ncoverHeight: 9000', 'invalid coverHeight'],
    ['metaLinks: none', 'invalid metaLinks: Must be a map'],
    ['metaLinks: {alternates: 7}', 'invalid metaLinks.alternates: Must be a list of texts'],
    ['layout: docs', 'invalid layout: Must be a map'],
    ['layout: {width: huge}', 'invalid layout'],
    ['title: [a]', 'invalid title'],
    ['hidden: [', 'no valid YAML: line'],
    ['a: b\n  c: d: e', 'no valid YAML: line'],
    ['hidden: true\nhidden: false', 'no valid YAML: line 3'],
  ])('are refused with %j, and the refusal names the key', async (yaml, message) => {
    const made = await send([page('Good', '', { ref: 'good' })]);
    const markdown = `---\n${yaml}\n---\n\nText.`;
    for (const change of [
      page('Bad', markdown),
      { operation: 'update_page', page: get(made.body, 'refs.good'), document: { markdown } },
    ]) {
      const { status, body } = await send([page('Other'), change]);
      expect([status, body.error.reason]).toEqual([422, 'content_change_invalid']);
      expect(body.error.details).toEqual([
        { path: 'body.changes[1].document.markdown', message: expect.stringContaining(message) },
      ]);
    }
  });

  it('can have empty values, and keys that no page has', async () => {
    const yaml =
      'description:\nicon: ~\nauthor: [Ann]\ntags: [a, 1]\nmetaLinks:\n  next: x\nvars:\n  none:\n  port: 1.10';
    const { status, body } = await send([page('Fine', `---\n${yaml}\n---\n\nText.`, { ref: 'fine' })]);
    expect(status).toBe(200);
    const path = `/spaces/${space}/content/page/${String(get(body, 'refs.fine'))}`;
    expect((await rig.send('GET', path)).body['variables']).toEqual({ port: '1.10' });
  });

  it('are told from a rule at the beginning of a text', async () => {
    expect((await send([page('Rule', '---\n\nHello there\n\n---\n\nMore')])).status).toBe(200);
  });
});

describe('links that lead nowhere any more', () => {
  let space: string;
  beforeAll(async () => void (space = await makeSpace(rig)));

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
