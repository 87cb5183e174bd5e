import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get, startRig, type Answer, type Person, type Rig } from '../../test/rig-with-store.js';
import { makeSpace, refusal } from '../../test/spaces.js';

describe('the content of a space', () => {
  let rig: Rig;
  let org: string;
  let editor: Person;
  beforeAll(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
    editor = await rig.member('Edda Editor', 'edit');
  }, 60_000);
  afterAll(() => rig.stop());

  const change = (space: string, changes: object[], more: object = {}, headers: Record<string, string> = {}) =>
    rig.send('POST', `/spaces/${space}/content`, { token: editor.token, body: { changes, ...more }, headers });
  const read = (space: string, rest: string) => rig.send('GET', `/spaces/${space}${rest}`, { token: editor.token });
  const page = (title: string, markdown = '', more: object = {}) => ({
    operation: 'insert_page',
    title,
    document: { markdown },
    ...more,
  });
  const titles = ({ body }: Answer): unknown => shape(body['pages'] as Listed[]);
  interface Listed {
    title: string;
    pages?: Listed[];
  }
  const shape = (pages: readonly Listed[]): unknown =>
    pages.map(({ title, pages: inner = [] }) => (inner.length === 0 ? title : [title, shape(inner)]));

  it('begins with one page, or with nothing', async () => {
    const made = await rig.send('POST', `${org}/spaces`, {});
    const id = String(made.body['id']);
    const current = await read(id, '/content');
    expect(current.status).toBe(200);
    expect([current.body['object'], current.body['type'], current.body['parents']]).toEqual(['revision', 'edits', []]);
    expect(titles(current)).toEqual(['Page']);
    expect(made.body['revision']).toBe(current.body['id']);
    expect(titles(await read(await makeSpace(rig), '/content'))).toEqual([]);
  });

  it('is written and read, by id and by path, as markdown and as a document', async () => {
    const space = await makeSpace(rig);
    const written = await change(space, [
      { operation: 'insert_group', title: 'Guides', ref: 'guides' },
      page('Install', '# Install it\n\nRun **this**. See [use](./use.md).\n', { into: 'guides', ref: 'install' }),
      page('Use', 'Use it.', { into: 'guides', ref: 'use', description: 'How to' }),
    ]);
    expect(written.status).toBe(200);
    const refs = get(written.body, 'refs') as Record<string, string>;
    expect(written.body['changes']).toMatchObject([
      { object: 'created_group', ref: 'guides', page: { path: 'guides' } },
      {
        object: 'created_page',
        ref: 'install',
        page: { id: refs['install'], title: 'Install it', path: 'guides/install-it' },
      },
      { object: 'created_page', ref: 'use', page: { path: 'guides/use' } },
    ]);
    const tree = await read(space, '/content/pages');
    expect(titles(tree)).toEqual([['Guides', ['Install it', 'Use']]]);
    const byId = await read(space, `/content/page/${refs['install']}`);
    expect(byId.body).toMatchObject({ type: 'document', path: 'guides/install-it', slug: 'install-it' });
    expect(byId.body['markdown']).toBe('# Install it\n\nRun **this**. See [use](use.md).\n');
    expect(get(byId.body, 'document.object')).toBe('document');
    const byPath = await read(space, '/content/path/guides/use?format=markdown');
    expect(byPath.body).toMatchObject({ id: refs['use'], markdown: '# Use\n\nUse it.\n', description: 'How to' });
    expect(byPath.body).not.toHaveProperty('document');
    const stable = await read(space, `/content/page/${refs['install']}?format=markdown&format.markdown.refs=stable`);
    expect(stable.body['markdown']).toContain(`[use](/pages/${refs['use']})`);
    const document = await read(space, `/documents/${String(byId.body['documentId'])}`);
    expect(document.body['nodes']).toEqual(get(byId.body, 'document.nodes'));
    for (const missing of ['/content/page/nothing', '/content/path/guides/nothing', '/documents/nothing'])
      expect((await read(space, missing)).status).toBe(404);
  });

  it('is changed, moved, deleted and put back, each time as one revision', async () => {
    const space = await makeSpace(rig);
    const first = await change(space, [
      page('A', 'One.\n\nTwo.', { ref: 'a' }),
      page('B', '', { ref: 'b' }),
      page('A', ''),
    ]);
    const { a = '', b = '' } = get(first.body, 'refs') as Record<string, string>;
    expect(titles(await read(space, '/content/pages'))).toEqual(['A', 'B', 'A']);
    expect((await read(space, '/content/path/a-1')).body['title']).toBe('A');
    const before = (await read(space, `/content/page/${a}`)).body;
    const edited = await change(space, [
      { operation: 'update_page', page: a, document: { markdown: 'One.\n\nTwo, and more.' }, into: b, title: 'Alpha' },
    ]);
    expect(edited.body['changes']).toMatchObject([{ object: 'updated_page', page: { title: 'Alpha', path: 'b/a' } }]);
    const after = (await read(space, `/content/page/${a}`)).body;
    const keys = (body: unknown) => (get(body, 'document.nodes') as { key: string }[]).map(({ key }) => key);
    expect(keys(after)).toEqual(keys(before));
    const same = await change(space, [{ operation: 'update_page', page: a, title: 'Alpha' }]);
    expect(same.body['revision']).toBe(edited.body['revision']);
    expect((await change(space, [{ operation: 'delete_page', page: b }])).status).toBe(200);
    expect(titles(await read(space, '/content/pages'))).toEqual(['A']);
    expect((await read(space, `/content/page/${a}`)).status).toBe(404);
    const reverted = await change(space, [{ operation: 'revert_page', page: a, revision: first.body['revision'] }]);
    expect(reverted.status).toBe(200);
    expect((await read(space, `/content/page/${a}`)).body['markdown']).toContain('Two.');
    const list = await read(space, '/revisions?limit=2');
    expect([list.body['count'], list.body.items.length]).toEqual([5, 2]);
    const next = await read(
      space,
      `/revisions?limit=2&page=${encodeURIComponent(String(get(list.body, 'next.page')))}`,
    );
    expect(next.body.items.map(({ id }) => id)).toEqual([edited.body['revision'], first.body['revision']]);
    expect(get(list.body.items[0], 'createdBy.displayName')).toBe('Edda Editor');
  });

  it('has a history: revisions stay as they were, and say what changed', async () => {
    const space = await makeSpace(rig);
    const first = await change(space, [page('A', 'One.', { ref: 'a' }), page('B', '', { ref: 'b' })]);
    const { a = '', b = '' } = get(first.body, 'refs') as Record<string, string>;
    const second = await change(space, [
      { operation: 'update_page', page: a, document: { markdown: 'Two.' }, emoji: '1f680' },
      { operation: 'update_page', page: b, into: a },
      { operation: 'set_variables', variables: { version: '2' } },
      page('C'),
    ]);
    const at = (answer: Answer) => `/revisions/${String(answer.body['revision'])}`;
    expect((await read(space, `${at(first)}/page/${a}`)).body['markdown']).toContain('One.');
    expect((await read(space, `${at(second)}/path/a/b`)).body['id']).toBe(b);
    expect(titles(await read(space, at(first)))).toEqual(['A', 'B']);
    expect((await read(space, `${at(second)}/page/${a}/document`)).body['object']).toBe('document');
    const { body } = await read(space, `${at(second)}/changes`);
    const changes = body['changes'] as { type: string; page?: { id: string }; attributes?: object }[];
    expect(changes.map(({ type }) => type).sort()).toEqual([
      'page_created',
      'page_edited',
      'page_moved',
      'variables_edited',
    ]);
    expect(changes.find(({ type }) => type === 'page_edited')).toMatchObject({
      page: { id: a, path: 'a' },
      attributes: { emoji: { after: '1f680' }, document: {} },
    });
    expect(changes.find(({ type }) => type === 'page_moved')).toMatchObject({
      page: { id: b },
      parent: { after: { id: a } },
    });
    expect((await read(space, `${at(second)}/changes?limit=1`)).body).toMatchObject({ more: 3 });
    const rolled = await rig.send('POST', `/spaces/${space}${at(first)}/rollback`, {});
    expect(rolled.status).toBe(200);
    expect(titles(await read(space, '/content/pages'))).toEqual(['A', 'B']);
    expect((await read(space, '/content')).body['type']).toBe('rollback');
    expect((await rig.send('POST', `/spaces/${space}${at(first)}/rollback`, { token: editor.token })).status).toBe(403);
    expect((await read(await makeSpace(rig), at(first))).status).toBe(404);
    expect((await rig.send('GET', `/spaces/${space}`, {})).body['revision']).toBe(rolled.body['revision']);
  });

  it('tells where a link of the navigation led before, and where it leads now', async () => {
    const space = await makeSpace(rig);
    const link = (operation: string, url: string, more: object) => ({
      ...{ operation, title: 'Link', target: { kind: 'url', url }, ...more },
    });
    const [before, after] = ['https://before.example/', 'https://after.example/'];
    const made = await change(space, [link('insert_link', before, { ref: 'link' })]);
    const { body } = await change(space, [link('update_link', after, { page: get(made.body, 'refs.link') })]);
    const { changes } = (await read(space, `/revisions/${String(body['revision'])}/changes`)).body;
    expect(changes).toMatchObject([
      { type: 'page_edited', attributes: { target: { before: { url: before }, after: { url: after } } } },
    ]);
  });

  it('refuses what is not possible, and then changes nothing', async () => {
    const space = await makeSpace(rig);
    const made = await change(space, [page('A', '', { ref: 'a' }), page('B', '', { ref: 'b', into: 'a' })]);
    const { a, b } = get(made.body, 'refs') as Record<string, string>;
    const impossible: [object, string][] = [
      [{ operation: 'update_page', page: 'nothing', title: 'X' }, 'page'],
      [{ operation: 'update_page', page: a, into: b }, 'into'],
      [{ operation: 'update_page', page: a, into: a }, 'into'],
      [{ operation: 'delete_group', page: a }, 'page'],
      [page('X', '', { into: 'nowhere' }), 'into'],
      [page('X', '', { condition: 'visitor.' }), 'condition'],
      [{ operation: 'revert_page', page: a, revision: 'nothing' }, 'revision'],
      [{ operation: 'revert_page', page: a, revision: get(made.body, 'revision'), block: ['no'] }, 'block[0]'],
      [{ operation: 'set_variables', page: 'nothing', variables: { x: '1' } }, 'page'],
      [{ operation: 'update_group', page: a, title: 'X' }, 'page'],
      [{ operation: 'update_link', page: a, title: 'X' }, 'page'],
      [{ operation: 'update_file', file: 'nothing', name: 'x' }, 'file'],
      [{ operation: 'delete_file', file: 'nothing' }, 'file'],
      [{ operation: 'delete_reusable_content', reusableContent: 'nothing' }, 'reusableContent'],
      [{ operation: 'insert_link', title: 'X', target: { kind: 'page', page: a }, into: 'nowhere' }, 'into'],
      [page('X', '---\nicon: No Such Icon\n---\n'), 'document.markdown'],
      [page('X', '---\nif: visitor.claims.\n---\n'), 'document.markdown'],
      [page('X', `---\ntitle: ${'t'.repeat(256)}\n---\n`), 'document.markdown'],
    ];
    for (const [one, field] of impossible)
      expect(refusal(await change(space, [page('Before'), one]))).toEqual([
        422,
        'content_change_invalid',
        `body.changes[1].${field}`,
      ]);
    expect(refusal(await change(space, []))).toEqual([400, 'invalid_request', 'body.changes']);
    const many = Array.from({ length: 51 }, (_, i) => page(`P${i}`));
    expect(refusal(await change(space, many))).toEqual([400, 'invalid_request', 'body.changes']);
    expect(refusal(await change(space, [page('X', '', { slug: '../x' })]))).toEqual([
      400,
      'invalid_request',
      'body.changes[0].slug',
    ]);
    const ofChange: [object, string][] = [
      [page('X', '', { at: -1 }), 'at'],
      [{ operation: 'update_page', page: a, into: '../x' }, 'into'],
      [{ operation: 'delete_page' }, 'page'],
      [{ operation: 'insert_files', files: [{ name: 'x' }] }, 'files[0].url'],
      [{ operation: 'make_page' }, 'operation'],
    ];
    for (const [one, field] of ofChange)
      expect(refusal(await change(space, [page('Before'), one]))).toEqual([
        400,
        'invalid_request',
        `body.changes[1].${field}`,
      ]);
    expect(titles(await read(space, '/content/pages'))).toEqual([['A', ['B']]]);
    expect((await read(space, '/revisions')).body['count']).toBe(2);
    const guest = await rig.member('Gus Guest', null);
    const reader = await rig.member('Rea Der', 'read');
    for (const [person, status] of [
      [guest, 404],
      [reader, 403],
    ] as const) {
      const body = { changes: [page('X')] };
      expect((await rig.send('POST', `/spaces/${space}/content`, { token: person.token, body })).status).toBe(status);
    }
    const locked = await makeSpace(rig, { editMode: 'locked' });
    expect(refusal(await change(locked, [page('X')]))).toEqual([403, 'space_locked', undefined]);
  });

  it('takes the longest texts that are allowed', async () => {
    const space = await makeSpace(rig);
    const longest = { description: '語'.repeat(1024), condition: `"${'語'.repeat(1000)}" == ""` };
    const made = await change(space, [page('語'.repeat(255), '', { ref: 'a', ...longest })]);
    expect(made.status).toBe(200);
    const { a = '' } = get(made.body, 'refs') as Record<string, string>;
    expect((await read(space, `/content/page/${a}`)).body).toMatchObject({ title: '語'.repeat(255), ...longest });
    // A heading that is too long for a title is text.
    const heading = await change(space, [page('Short', `# ${'w'.repeat(256)}`, { ref: 'b' })]);
    const b = String(get(heading.body, 'refs.b'));
    expect((await read(space, `/content/page/${b}`)).body).toMatchObject({
      title: 'Short',
      document: { nodes: [{ type: 'heading-1' }] },
    });
    const deep = Array.from({ length: 80 }, (_, i) => `${'  '.repeat(i)}* level`).join('\n');
    expect((await change(space, [{ operation: 'update_page', page: a, document: { markdown: deep } }])).status).toBe(
      200,
    );
  });

  it('is changed on the revision that is named, and once for a key', async () => {
    const space = await makeSpace(rig);
    const first = await change(space, [page('A')], {}, { 'idempotency-key': 'once' });
    const again = await change(space, [page('A')], {}, { 'idempotency-key': 'once' });
    expect(again.body).toEqual(first.body);
    const base = String(first.body['revision']);
    expect((await change(space, [page('B')], { base })).status).toBe(200);
    expect(refusal(await change(space, [page('C')], { base }))).toEqual([412, 'precondition_failed', 'body.base']);
    const current = await read(space, '/content');
    const tag = String(current.headers.get('etag'));
    expect((await read(space, '/content?metadata=false')).headers.get('etag')).not.toBe(tag);
    expect((await change(space, [page('C')], {}, { 'if-match': tag })).status).toBe(200);
    expect((await change(space, [page('D')], {}, { 'if-match': tag })).status).toBe(412);
    const dry = await rig.send('POST', `/spaces/${space}/content?dryRun=true`, {
      token: editor.token,
      body: { changes: [page('E')] },
    });
    expect(dry.status).toBe(200);
    expect(titles(await read(space, '/content/pages'))).toEqual(['A', 'B', 'C']);
  });

  it('loses no change of many writers', async () => {
    const space = await makeSpace(rig);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => change(space, [page(`Page ${i}`)])));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { body } = await read(space, '/content/pages');
    expect((body['pages'] as unknown[]).length).toBe(20);
    expect((await read(space, '/revisions')).body['count']).toBe(21);
  });

  it('is copied with a space without copying an object, and then goes its own way', async () => {
    const space = await makeSpace(rig, { title: 'A title of exactly fifty characters, or nearly so.' });
    await change(space, [page('A', 'Text.', { ref: 'a' })]);
    const rules = [{ rule: 'require_at_least_one_review' }];
    const icon = 'https://x.example/i.png';
    await rig.send('PATCH', `/spaces/${space}`, { body: { icon, mergeRules: { type: 'rules', rules } } });
    const objects = rig.store.database.collection<{ _id: string }>('op_objects');
    const objectsOf = (pool: string) => objects.countDocuments({ _id: { $gte: `${pool}/`, $lt: `${pool}0` } });
    const before = await objectsOf(space);
    const copy = await rig.send('POST', `/spaces/${space}/duplicate`, {});
    expect([copy.status, copy.body['title']]).toEqual([201, 'A title of exactly fifty characters, or nea (copy)']);
    expect(copy.body).toMatchObject({ urls: { icon }, mergeRules: { type: 'rules', rules } });
    const id = String(copy.body['id']);
    expect([before > 0, await objectsOf(space), await objectsOf(id)]).toEqual([true, before, 0]);
    expect(copy.headers.get('location')).toContain(`/spaces/${id}`);
    expect(titles(await read(id, '/content'))).toEqual(['A']);
    expect((await read(id, '/revisions')).body['count']).toBe(1);
    expect((await change(id, [page('B')])).status).toBe(200);
    expect(titles(await read(id, '/content'))).toEqual(['A', 'B']);
    expect(titles(await read(space, '/content'))).toEqual(['A']);
  });

  it('is named by ids that hold in one space alone', async () => {
    const space = await makeSpace(rig);
    const copy = String((await rig.send('POST', `/spaces/${space}/duplicate`, {})).body['id']);
    const made = await change(space, [page('Later', 'After the copy.', { ref: 'later' })]);
    const { later = '' } = get(made.body, 'refs') as Record<string, string>;
    const id = String((await read(space, `/content/page/${later}`)).body['documentId']);
    expect((await read(space, `/documents/${id}`)).status).toBe(200);
    for (const wrong of [id, id.split('_')[0], `${id.slice(0, -1)}x`])
      expect((await read(copy, `/documents/${String(wrong)}`)).status).toBe(404);
  });

  it('stays readable when it includes too much, and has links to what a request makes', async () => {
    const space = await makeSpace(rig);
    const made = await change(space, [
      { operation: 'insert_reusable_content', title: 'Long', document: { markdown: 'lol '.repeat(2000) }, ref: 'long' },
    ]);
    const { long = '' } = get(made.body, 'refs') as Record<string, string>;
    const often = `{% include "/reusable-content/${long}" %}\n\n`.repeat(100);
    const changes = [
      page('Often', often, { ref: 'often' }),
      page('Else', '---\ntitle: Other\n---\n# Heading', {
        ref: 'else',
        metaLinks: { canonical: { kind: 'page', page: 'often' } },
      }),
      { operation: 'insert_link', title: 'Link', target: { kind: 'page', page: 'often' } },
      { operation: 'insert_link', title: 'Nowhere', target: { kind: 'page', page: 'nowhere' } },
    ];
    const refs = get((await change(space, changes)).body, 'refs') as Record<string, string>;
    const seen = await read(space, `/content/page/${refs['often']}?dereferenced=true&format=markdown`);
    expect([seen.status, String(seen.body['markdown']).includes('{% include')]).toEqual([200, true]);
    const other = (await read(space, `/content/page/${refs['else']}`)).body;
    expect([other['title'], get(other, 'metaLinks.canonical.page')]).toEqual(['Other', refs['often']]);
    const links = (await read(space, '/content/pages')).body['pages'] as Record<string, unknown>[];
    expect(links.slice(2).map(({ href, target }) => [href, target])).toEqual([
      [expect.stringContaining(`/${refs['often']}`), { kind: 'page', page: refs['often'] }],
      [undefined, { kind: 'page', page: 'nowhere' }],
    ]);
  });

  it('is shown in all forms also where a document is so long that workers write it', async () => {
    const space = await makeSpace(rig);
    const expression = '<code class="expression">space.vars.edition</code>';
    const long = `${'Words to read. '.repeat(20).trim()}\n\n`.repeat(300);
    const made = await change(space, [
      { operation: 'set_variables', variables: { edition: 'cloud' } },
      page('Other', '', { ref: 'other' }),
      page('Long', `[There](./other.md) is ${expression}.\n\n${long}`, { ref: 'long' }),
    ]);
    const path = `/content/page/${String(get(made.body, 'refs.long'))}`;
    const plain = (await read(space, path)).body;
    expect(String(plain['markdown'])).toContain(`[There](other.md) is ${expression}.`);
    expect(String(plain['markdown'])).toContain(long.trim());
    const seen = (await read(space, `${path}?evaluated=true&dereferenced=true`)).body;
    expect(String(seen['markdown'])).toContain('is cloud.');
    expect(get(seen, 'document.nodes.length')).toBe(get(plain, 'document.nodes.length'));
  });

  it('shows reusable contents, variables and conditions as they were asked for', async () => {
    const space = await makeSpace(rig);
    const made = await change(space, [
      {
        operation: 'insert_reusable_content',
        title: 'Warning',
        document: { markdown: 'Mind the **gap**.' },
        ref: 'warning',
      },
      { operation: 'set_variables', variables: { product: 'Scriptorium' } },
    ]);
    const { warning = '' } = get(made.body, 'refs') as Record<string, string>;
    const text = [
      `{% include "/reusable-content/${warning}" %}`,
      'This is <code class="expression">space.vars.product</code>.',
      '{% if visitor.claims.beta %}\nSecret.\n{% endif %}',
    ].join('\n\n');
    const written = await change(space, [page('A', text, { ref: 'a' })]);
    const { a = '' } = get(written.body, 'refs') as Record<string, string>;
    const plain = await read(space, `/content/page/${a}?format=markdown`);
    expect(plain.body['markdown']).toContain('{% if');
    const seen = await read(space, `/content/page/${a}?format=markdown&evaluated=true&dereferenced=true`);
    expect(seen.body['markdown']).toBe('# A\n\nMind the **gap**.\n\nThis is Scriptorium.\n');
    const reusable = await read(space, `/content/reusable-contents/${warning}`);
    expect(reusable.body).toMatchObject({ title: 'Warning', markdown: 'Mind the **gap**.\n' });
    const deleted = await change(space, [{ operation: 'delete_reusable_content', reusableContent: warning }]);
    expect(deleted.status).toBe(200);
    expect((await read(space, `/content/reusable-contents/${warning}`)).status).toBe(404);
  });
});
